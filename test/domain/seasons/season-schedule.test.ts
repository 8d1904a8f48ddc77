// Which schedules of seasons are refused, with which words, and what their boundaries are around clock changes.
// `boundaries.full.ts` compares boundaries with each minute of whole years.

import { expect } from 'chai'
import { boundariesAfter, checkSchedule, MAX_CRON_LENGTH, nextBoundary } from '../../../domain/season-schedule.ts'
import { refusalIn } from '../../refusal-of.ts'

const refusal = (cron: string, timeZone = 'UTC') => {
  const found = refusalIn(() => checkSchedule({ cron, timeZone }))
  return found === null ? null : { code: found.code, detail: found.message, ...found.fields }
}

const faultOf = (cron: string, timeZone?: string) => refusal(cron, timeZone)?.detail ?? 'accepted'

function boundaries(cron: string, timeZone: string, after: string, count: number): string[] {
  const found: string[] = []
  for (const boundary of boundariesAfter({ cron, timeZone }, Date.parse(after))) {
    found.push(new Date(boundary).toISOString())
    if (found.length === count) break
  }
  return found
}

describe('a schedule of seasons', () => {
  it('may be a name, and expressions of numbers, lists, ranges, steps and *', () => {
    const crons = ['daily', 'weekly', 'monthly', '0 * * * *', '05 06 7 8 0', '0 0,12-14 1-31/10 */3 *', '*/60 0 * * 7']
    expect(crons.map((cron) => faultOf(cron))).to.deep.equal(crons.map(() => 'accepted'))
  })

  it('is refused with the pointer of the field and the fault', () => {
    const detail = 'has 24 as hour, which must be between 0 and 23'
    expect(refusal('0 24 * * *')).to.deep.equal({
      code: 'malformed',
      detail: `seasons.cron ${detail}.`,
      errors: [{ pointer: '/seasons/cron', detail }],
    })
    const zone = 'is not an IANA time zone name: send one such as Europe/Berlin. Case matters'
    expect(refusal('daily', 'Europe/berlin')).to.deep.equal({
      code: 'malformed',
      detail: `seasons.time_zone ${zone}.`,
      errors: [{ pointer: '/seasons/time_zone', detail: zone }],
    })
  })

  it('is refused with the fault of its expression', () => {
    const item = 'which is not a number, a range such as 1-5, * or a step such as */2 or 1-5/2'
    const monday = 'Names such as MON are not accepted; Monday is 1'
    const parts = 'minute, hour, day of month, month and day of week'
    const five = `must have five fields, ${parts}, or be daily, weekly or monthly`
    const faults: Readonly<Record<string, string>> = {
      '': five,
      Daily: five,
      '@daily': five,
      '0 0 * *': five,
      '0 0 0 * * *': five,
      ' 0 0 * * *': five,
      '0\t0 * * *': five,
      '0 0 * * MON': `has "MON" as day of week, ${item}. ${monday}`,
      '0 0 1 JAN *': `has "JAN" as month, ${item}. Names such as JAN are not accepted; January is 1`,
      '0 0 L * *': `has "L" as day of month, ${item}`,
      '0 0 ? * *': `has "?" as day of month, ${item}`,
      '0 0 * * 1#2': `has "1#2" as day of week, ${item}. ${monday}`,
      '0 0 * * +1': `has "+1" as day of week, ${item}. ${monday}`,
      '0 0 1,, * *': `has "" as day of month, ${item}`,
      '0 0 1-2-3 * *': `has "1-2-3" as day of month, ${item}`,
      '-1 0 * * *': `has "-1" as minute, ${item}`,
      '1.5 0 * * *': `has "1.5" as minute, ${item}`,
      '60 0 * * *': 'has 60 as minute, which must be between 0 and 59',
      '0 0 0 * *': 'has 0 as day of month, which must be between 1 and 31',
      '0 0 * 1-13 *': 'has 1-13 as month, which must be between 1 and 12',
      '0 0 * * 8': 'has 8 as day of week, which must be between 0 and 7',
      '0 0 * * 6-1': 'has 6-1 as day of week, a range that ends before it begins',
      '0 */0 * * *': 'has */0 as hour, whose step must be between 1 and 24',
      '0 0 * * */8': 'has */8 as day of week, whose step must be between 1 and 7',
      '0 3/4 * * *': 'has a step after a single number as hour (3/4): send a range, such as 3-23',
      '0 0 30 2 *': 'never fires: no month that it names has such a day',
      '*/5 0 31 4,6,9,11 *': 'never fires: no month that it names has such a day',
      [`0 ${'0,'.repeat(MAX_CRON_LENGTH / 2)}0 * * *`]: `is longer than ${MAX_CRON_LENGTH} characters`,
    }
    const found = Object.keys(faults).map((cron) => [cron, faultOf(cron)])
    expect(found).to.deep.equal(Object.entries(faults).map(([cron, fault]) => [cron, `seasons.cron ${fault}.`]))
  })

  it('is refused with 422 season_too_short if it fires twice within an hour', () => {
    const codes = ['*/30 * * * *', '0,59 3 * * *', '0-1 0 1 1 *', '* * * * *'].map((cron) => refusal(cron)?.code)
    expect(codes).to.deep.equal(codes.map(() => 'season_too_short'))
    const detail = 'fires twice within an hour: give a single minute, such as `0 * * * *`'
    expect(refusal('*/30 * * * *')).to.deep.include({
      detail: `seasons.cron ${detail}.`,
      errors: [{ pointer: '/seasons/cron', detail }],
    })
    expect(faultOf('0,0 * * * *')).to.equal('accepted')
    // The clocks of Lord Howe change by half an hour.
    expect(faultOf('30 * * * *', 'Australia/Lord_Howe')).to.equal('accepted')
  })

  it('takes the names of IANA, with links and fixed offsets, in their spelling only', () => {
    const names = ['UTC', 'GMT', 'Etc/UTC', 'Etc/GMT+5', 'Europe/Kyiv', 'Europe/Kiev', 'US/Pacific', 'Asia/Kolkata']
    expect(names.map((zone) => faultOf('daily', zone))).to.deep.equal(names.map(() => 'accepted'))
    const others = ['', 'utc', 'us/pacific', 'PST', 'SystemV/EST5', 'Etc/Unknown', 'Factory', '+01:00', 'Mars/Olympus']
    const refused = others.map((zone) => refusal('daily', zone)?.code)
    expect(refused).to.deep.equal(others.map(() => 'malformed'))
  })

  it('fires on days that match either the day of month or the day of week if both are given', () => {
    const either = boundaries('0 0 13 * 5', 'UTC', '2026-11-01T00:00:00Z', 4)
    expect(either.map((iso) => iso.slice(0, 10))).to.deep.equal([
      '2026-11-06',
      '2026-11-13',
      '2026-11-20',
      '2026-11-27',
    ])
    // */1 is not a bare *, so every day matches.
    expect(boundaries('0 0 13 * */1', 'UTC', '2026-11-01T00:00:00Z', 1)).to.deep.equal(['2026-11-02T00:00:00.000Z'])
  })

  it('fires once, at the end of the gap, for local times that a clock change skips', () => {
    expect(boundaries('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).to.deep.equal([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    // 30 December 2011 was skipped.
    expect(boundaries('daily', 'Pacific/Apia', '2011-12-29T12:00:00Z', 2)).to.deep.equal([
      '2011-12-30T10:00:00.000Z',
      '2011-12-31T10:00:00.000Z',
    ])
  })

  it('fires at the first occurrence of a local time that a clock change repeats', () => {
    expect(boundaries('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
    const between = Date.parse('2026-10-25T01:10:00Z')
    expect(nextBoundary({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, between)).to.equal(
      Date.parse('2026-10-26T01:30:00Z'),
    )
  })

  it('has boundaries after the instant only, also in the middle of a second', () => {
    const at = Date.parse('2026-11-29T00:00:00Z')
    const daily = { cron: 'daily', timeZone: 'UTC' }
    expect([at - 1, at, at + 1].map((instant) => nextBoundary(daily, instant) - at)).to.deep.equal([
      0, 86_400_000, 86_400_000,
    ])
  })
})
