// Submitting scores: what a call is answered with, when it is repeated, and when the rules changed in between.

import { expect } from 'chai'
import { removeEntry } from '../../commands/delete-score.ts'
import { createHandler } from '../../commands/handle.ts'
import { underRulesInForce } from '../../commands/judge-submission.ts'
import { makeLeaderboard, setLeaderboard } from '../../commands/leaderboard.ts'
import type { Target } from '../../commands/score-target.ts'
import { createSubmissionTexts } from '../../commands/submission-texts.ts'
import { recordSubmission } from '../../commands/submit-score.ts'
import type { Rules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { NewEvent } from '../../domain/event.ts'
import { createMemoryLog } from '../memory/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { BEGINNING_MS, fresh } from './counter-aggregate.ts'
import { type RecordingRig, recordingRig } from './recording-rig.ts'
import { contextAt, GAME, LONG_AGO_MS } from './sign-in/sign-in-rig.ts'

const RULES: Rules = { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null }
const MANY: Rules = { ...RULES, unique: false }
const SINCE = new Date(LONG_AGO_MS).toISOString()

const score = (value: string, more: { extra?: string; playerName?: string } = {}) => ({
  score: value as Decimal,
  secondary: null,
  extra: more.extra ?? null,
  playerName: more.playerName ?? null,
})

describe('commands: submitting a score', () => {
  let rig: RecordingRig
  let target: Target
  beforeEach(async () => {
    rig = recordingRig()
    target = { game: GAME, board: '', rules: RULES, since: SINCE, generation: 1, player: 'ada' }
    target = { ...target, board: await board(RULES) }
  })

  async function board(rules: Rules): Promise<string> {
    const { id } = await makeLeaderboard(rig.deps, GAME, { name: 'B', description: '', rules }, contextAt())
    await rig.recorded()
    return id
  }

  const send = (value: string, more = {}, context = contextAt()) =>
    recordSubmission(rig.deps, target, score(value, more), context)

  it('records it on the stream of player and board', async () => {
    const { shown, written } = await send('5', { extra: '{"a":1}', playerName: 'Ada' })
    const [event] = await rig.recorded()
    expect(event).to.deep.equal({
      stream: `lb_${target.board}-ada`,
      type: 'ScoreSubmitted',
      data: { id: shown.submission.id, score: '5', secondary: null, extra: '{"a":1}', playerName: 'Ada' },
      about: { game: GAME, board: target.board, player: 'ada' },
    })
    expect(written?.game).to.equal(GAME)
  })

  it('answers the first one as the entry that it made', async () => {
    const answer = await send('5', { extra: '{"a":1}', playerName: 'Ada' })
    const { id } = answer.shown.submission
    expect(answer).to.deep.include({ improved: true, submitted: id, revision: 0, replayed: false })
    expect(answer.shown).to.deep.equal({
      submission: { id, score: '5', secondary: null, revision: 0, time: SINCE },
      details: { extra: '{"a":1}', playerName: 'Ada' },
      position: answer.written?.position,
      entry: id,
      added: SINCE,
    })
  })

  it('answers a worse one with the best entry before, and its extra data', async () => {
    const first = await send('5', { extra: '{"a":1}', playerName: 'Ada' })
    const worse = await send('4', { extra: '{"b":2}', playerName: 'Eve' })
    expect(worse).to.deep.include({ shown: first.shown, improved: false, submitted: null, revision: 1 })
  })

  it('answers a better one with the same entry, which was added with the first', async () => {
    const first = await send('5')
    const later = contextAt(LONG_AGO_MS + 1_000)
    const { shown, improved, submitted } = await send('6', { playerName: 'Ada' }, later)
    expect([improved, submitted]).to.deep.equal([true, null])
    expect(shown).to.deep.include({ entry: first.shown.submission.id, added: SINCE })
    expect(shown.submission).to.deep.include({ score: '6', revision: 1 })
    expect(shown.details.playerName).to.equal('Ada')
    expect(shown.submission.id).not.to.equal(first.shown.submission.id)
    expect(shown.submission.time).to.equal('2026-01-01T00:00:01.000Z')
  })

  it('makes an entry of each one where the board is not unique', async () => {
    target = { ...target, rules: MANY }
    const first = await send('5')
    const worse = await send('4', {}, contextAt(LONG_AGO_MS + 1_000))
    expect(first.submitted).to.equal(first.shown.submission.id)
    expect([worse.shown.submission.id, worse.improved]).to.deep.equal([first.shown.submission.id, false])
    expect(worse.submitted).to.be.a('string').and.not.equal(first.submitted)
    const better = await send('6', {}, contextAt(LONG_AGO_MS + 2_000))
    expect(better.shown).to.deep.include({ entry: better.submitted, added: '2026-01-01T00:00:02.000Z' })
  })

  it('makes the entry with the first one that counts, under the id of the first that was recorded', async () => {
    const first = await send(`1${'0'.repeat(24)}`)
    target = { ...target, rules: { ...RULES, keep: 'total' }, generation: 2 }
    const made = await send('5', { playerName: 'Ada' }, contextAt(LONG_AGO_MS + 1_000))
    expect([made.improved, made.submitted]).to.deep.equal([true, first.submitted])
    expect(made.shown).to.deep.include({ entry: first.submitted, added: SINCE })
    const { submission, details } = made.shown
    expect([submission.score, submission.revision, details.playerName]).to.deep.equal(['5', 1, 'Ada'])
    const next = await send('-2', {}, contextAt(LONG_AGO_MS + 2_000))
    expect([next.improved, next.submitted, next.shown.submission.score]).to.deep.equal([false, null, '3'])
    expect(next.shown).to.deep.include({ entry: first.submitted, added: SINCE })
  })

  for (const keep of ['latest', 'total'] as const) {
    it(`answers each of several that are recorded together with what it made of the entry: ${keep}`, async () => {
      target = { ...target, rules: { ...RULES, keep } }
      const all = await Promise.all(['1', '3', '-2', '0', '4'].map((score) => send(score, { extra: score })))
      const shown = keep === 'latest' ? ['1', '3', '-2', '0', '4'] : ['1', '4', '2', '2', '6']
      expect(all.map((one) => one.shown.submission.score)).to.deep.equal(shown)
      expect(all.map((one) => one.shown.details.extra)).to.deep.equal(['1', '3', '-2', '0', '4'])
      const improved = keep === 'latest' ? [true, true, false, true, true] : [true, true, false, false, true]
      expect(all.map((one) => one.improved)).to.deep.equal(improved)
      const [first] = all
      expect(all.map((one) => one.submitted)).to.deep.equal([first?.submitted, null, null, null, null])
      expect(new Set(all.map((one) => one.shown.entry))).to.deep.equal(new Set([first?.submitted]))
    })

    it(`answers a repeated call as its first one, whatever was submitted since: ${keep}`, async () => {
      const rules = { ...RULES, keep }
      target = { ...target, rules, board: await board(rules) }
      const context = { ...contextAt(), call: 'the call' }
      await send('2')
      const first = await send('5', { extra: '1' }, context)
      for (const later of ['7', '-9', '5']) await send(later, {}, contextAt(LONG_AGO_MS + 1_000))
      const again = await send('5', { extra: '1' }, { ...context, repeated: true })
      expect(again).to.deep.equal({ ...first, replayed: true })
    })
  }

  for (const rules of [RULES, MANY]) {
    it(`answers the first recorded of equal scores, wherever clocks were set (unique: ${rules.unique})`, async () => {
      target = { ...target, rules }
      const first = await send('5', {}, contextAt(LONG_AGO_MS + 3_600_000))
      for (const laterMs of [1_000, 7_200_000, 2_000]) {
        const other = await send('5', {}, contextAt(LONG_AGO_MS + laterMs))
        expect([other.shown, other.improved]).to.deep.equal([first.shown, false])
      }
    })
  }

  it('answers each of several that are recorded together with the position of the best one', async () => {
    target = { ...target, rules: MANY }
    const all = await Promise.all(['1', '3', '2', '4', '4'].map((score) => send(score)))
    const events = await rig.log.readStream(`lb_${target.board}-ada`, 0, 100)
    expect(events.map(({ data }) => data.score)).to.deep.equal(['1', '3', '2', '4', '4'])
    const positions = events.map(({ position }) => position)
    expect(all.map(({ shown }) => shown.position)).to.deep.equal([0, 1, 1, 3, 3].map((n) => positions[n]))
  })

  it('answers with the own position of the best one after a change from unique, if others were recorded with it', async () => {
    const deps = { ...rig.deps, submissionTexts: createSubmissionTexts(rig.log) }
    const send = (value: string) => recordSubmission(deps, target, score(value), contextAt())
    // The first is appended alone while the others wait.
    await Promise.all(['1', '4', '4', '3'].map(send))
    target = { ...target, rules: MANY, generation: 2 }
    const { shown } = await send('2')
    const [due] = await rig.log.readStream(`lb_${target.board}-ada`, 1, 1)
    expect([shown.submission.revision, shown.position]).to.deep.equal([1, due?.position])
  })

  it('records no time before that of the board, which a node with a fast clock made', async () => {
    target = { ...target, since: '2026-01-01T00:00:05.000Z' }
    expect((await send('5')).shown.submission.time).to.equal('2026-01-01T00:00:05.000Z')
  })

  it('refuses a score outside the bounds and records nothing', async () => {
    target = { ...target, rules: { ...RULES, minScore: '2' as Decimal, maxScore: '8' as Decimal } }
    expect([await refusalCodeOf(send('1.9')), await refusalCodeOf(send('8.1'))]).to.deep.equal([
      'score_below_minimum',
      'score_above_maximum',
    ])
    expect(await rig.recorded()).to.deep.equal([])
  })

  it('answers a repeated call as its first one, whatever was submitted since', async () => {
    const keyed = { ...contextAt(), call: 'the call' }
    const first = await send('5', {}, keyed)
    await send('9')
    const again = await send('5', {}, { ...keyed, repeated: true })
    expect(again).to.deep.include({ improved: true, submitted: first.submitted, revision: 0, replayed: true })
    expect(again.shown).to.deep.equal(first.shown)
    expect(again.written).to.deep.equal(first.written)
    expect((await rig.recorded()).length).to.equal(2)
  })

  describe('to a board whose rules change', () => {
    /** Appends what puts other rules in force. */
    async function changeRules(rules: Rules): Promise<void> {
      const stream = `board-${target.board}`
      const events = await rig.log.readStream(stream, 0, 100)
      const meta = { v: 1, game: GAME, board: target.board, command: 'c', actor: null, request: null, time: SINCE }
      const id = `00000000-0000-4000-8000-${String(events.length).padStart(12, '0')}`
      const event: NewEvent = { id, type: 'LeaderboardRulesChanged', data: { rules }, meta }
      await rig.log.append(stream, events.length - 1, [event])
    }
    const ASC: Rules = { ...RULES, ordering: 'asc' }

    it('is answered by the rules that it was sent under, where those are in force', async () => {
      await send('5')
      const sent = await send('4')
      const answer = await underRulesInForce(rig.deps, target, sent)
      expect(answer).to.deep.equal({ ...sent, rules: RULES })
      expect(answer.rules).to.equal(target.rules)
    })

    it('is answered by the rules in force where it is recorded, of which the node had not heard', async () => {
      await send('5')
      await changeRules(ASC)
      const sent = await send('4')
      expect(sent.improved).to.equal(false)
      const answer = await underRulesInForce(rig.deps, target, sent)
      expect(answer).to.deep.include({ rules: ASC, improved: true, submitted: null, revision: 1 })
      expect(answer.shown.submission).to.deep.include({ score: '4', revision: 1 })
    })

    it('is answered with the total that is in force where it is recorded, of which the node had not heard', async () => {
      const first = await send('5')
      await changeRules({ ...RULES, keep: 'total' })
      const answered = async (value: string) => {
        const { shown, improved, submitted } = await underRulesInForce(rig.deps, target, await send(value))
        return [shown.submission.score, shown.submission.revision, shown.entry === first.submitted, improved, submitted]
      }
      expect(await answered('4')).to.deep.equal(['9', 1, true, true, null])
      // By the rules that the node knows it is the best one; in a total it does not count.
      expect(await answered(`1${'0'.repeat(24)}`)).to.deep.equal(['9', 1, true, false, null])
      expect(await answered('-1')).to.deep.equal(['8', 3, true, false, null])
    })

    it('is answered by the same rules after the board was only described', async () => {
      const change = { change: { description: 'New' }, expect: () => {} }
      await setLeaderboard(rig.deps, { board: target.board, game: GAME }, change, contextAt())
      const sent = await send('4')
      expect(await underRulesInForce(rig.deps, target, sent)).to.deep.equal({ ...sent, rules: RULES })
    })

    it('is not judged by rules that came in force later', async () => {
      await send('5')
      const sent = await send('4')
      await changeRules(ASC)
      expect((await underRulesInForce(rig.deps, target, sent)).rules).to.deep.equal(RULES)
    })

    it('is judged by the rules before where the player has no entry by those in force', async () => {
      await changeRules({ ...RULES, minScore: '7' as Decimal })
      const sent = await send('4')
      const answer = await underRulesInForce(rig.deps, target, sent)
      expect([answer.rules, answer.submitted]).to.deep.equal([RULES, sent.shown.submission.id])
    })

    it('answers a repeated call by the rules at its place in the log', async () => {
      const keyed = { ...contextAt(), call: 'the call' }
      await send('5')
      const first = await send('4', {}, keyed)
      await changeRules(ASC)
      target = { ...target, rules: ASC, generation: 2 }
      const again = await send('4', {}, { ...keyed, repeated: true })
      expect(again).to.deep.include({ improved: false, submitted: null, replayed: true })
      expect(again.shown.submission.id).to.equal(first.shown.submission.id)
    })

    it('counts deletions made under rules of the other kind once the rules have changed', async () => {
      target = { ...target, rules: MANY }
      await send('3')
      const best = await send('9')
      await removeEntry(rig.deps, target, best.shown.submission.id, contextAt())
      target = { ...target, rules: RULES, generation: 2 }
      expect((await send('1')).shown.submission.score).to.equal('3')
    })
  })

  it('is undone by removing the entry, once', async () => {
    const { shown } = await send('5')
    await rig.recorded()
    await removeEntry(rig.deps, target, shown.entry, contextAt())
    expect(await rig.recorded()).to.deep.equal([
      {
        stream: `lb_${target.board}-ada`,
        type: 'ScoreDeleted',
        data: { id: shown.entry, upTo: 0 },
        about: { game: GAME, board: target.board, player: 'ada' },
      },
    ])
    expect(await refusalCodeOf(removeEntry(rig.deps, target, shown.entry, contextAt()))).to.equal('score_not_found')
  })
})

const SCORE = { score: '1' as Decimal, secondary: null, extra: null, playerName: null }

async function timeOf(madeMs: number, sentMs: number): Promise<string> {
  const log = createMemoryLog()
  const since = new Date(madeMs).toISOString()
  const target = { game: 'g1', board: 'b1', rules: RULES, since, generation: 1, player: 'p1' }
  const { shown } = await recordSubmission({ log, handler: createHandler(log) } as never, target, SCORE, fresh(sentMs))
  return shown.submission.time
}

describe('the time of a submission', () => {
  it('is never before the creation of its leaderboard, even if node clocks differ', async () => {
    expect(await timeOf(BEGINNING_MS + 17, BEGINNING_MS)).to.equal(new Date(BEGINNING_MS + 17).toISOString())
  })

  it('is the time of the call if the board was created by a clock more than a minute ahead', async () => {
    const made = BEGINNING_MS + 60_000
    expect(await timeOf(made, BEGINNING_MS)).to.equal(new Date(made).toISOString())
    expect(await timeOf(made + 1, BEGINNING_MS)).to.equal(new Date(BEGINNING_MS).toISOString())
    expect(await timeOf(Date.UTC(2030, 0, 1), BEGINNING_MS)).to.equal(new Date(BEGINNING_MS).toISOString())
  })

  it('is the time of the call otherwise', async () => {
    expect(await timeOf(BEGINNING_MS, BEGINNING_MS + 17)).to.equal(new Date(BEGINNING_MS + 17).toISOString())
  })
})
