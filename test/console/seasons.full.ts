// The seasons of a leaderboard in Chromium: their schedule in the rules, the choice of a season, and its final ranks.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { Leaderboard, Season } from '../../clients/javascript/score-shapes.ts'
import type { Player } from '../../clients/javascript/shapes.ts'
import { eventually } from '../until.ts'
import { auditOf, type ConsoleWorld, openConsole, readRows } from './console-world.ts'

const ZONE = 'Asia/Tokyo'
/** Of the words of the countdown. */
const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000 }
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

describe('console: seasons', () => {
  let world: ConsoleWorld
  let page: Page
  let board: Leaderboard
  let ada: Player
  let bo: Player

  before(async () => {
    world = await openConsole()
    const settings = { name: 'Cup', ordering: 'desc', keep: 'best' }
    board = await world.send<Leaderboard>('POST', `/api/gm/${world.game}/lb/`, settings)
    const make = (name: string) => world.send<Player>('POST', `/api/gm/${world.game}/players/`, { name })
    ada = await make('Ada')
    bo = await make('Bo')
    page = await world.signedIn(world.gameKey)
    await page.goto(`${world.url}/console/leaderboards/${board.id}`)
    await page.getByRole('slider').waitFor()
  })
  after(() => world?.close())

  const submit = ({ id: player }: Player, score: string) =>
    world.send('POST', `/api/lb/${board.id}/score/`, { player, score })
  const read = () => world.get<Leaderboard>(`/api/lb/${board.id}/`)
  const seasons = async () => (await world.get<{ seasons: Season[] }>(`/api/lb/${board.id}/seasons/`)).seasons
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const field = () => page.getByLabel('Season', { exact: true })
  const options = () => field().locator('option').allTextContents()
  const table = () => page.locator('section[aria-label="Scores"]')
  const rows = () => table().locator('tbody tr:not(.space)')
  const shown = async () => {
    await page.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    return readRows(rows())
  }
  const heads = async () => (await table().locator('thead th').allTextContents()).slice(0, 3)

  async function setSchedule(name: string): Promise<void> {
    await press('Edit rules')
    await page.getByLabel('Seasons', { exact: true }).selectOption(name)
    await page.getByLabel('Time zone').fill(ZONE)
    await press('Preview rules')
    await page.getByText('A new season begins now.').waitFor()
    await press('Apply rules')
    await page.getByLabel('Time zone').waitFor({ state: 'detached' })
  }

  it('sends the schedule or the rules, and asks for one after the other', async () => {
    expect(await field().count()).to.equal(0)
    await press('Edit rules')
    await page.getByLabel('Seasons', { exact: true }).selectOption('weekly')
    await page.getByLabel('Best score').selectOption('asc')
    await page.getByText('Change the seasons and the other rules one after the other').waitFor()
    for (const name of ['Preview rules', 'Apply rules'])
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled'), name).to.equal('true')
    await press('Close')
  })

  it('previews and sets a schedule, which the page then names', async () => {
    await press('Edit rules')
    await page.getByLabel('Seasons', { exact: true }).selectOption('weekly')
    await page.getByLabel('Time zone').fill(ZONE)
    const changes = page.getByRole('region', { name: 'What changes' })
    expect(await changes.getByRole('listitem').allTextContents()).to.deep.equal([
      `no seasons → becomes seasons: weekly, in the time zone ${ZONE}`,
    ])
    await press('Preview rules')
    await page.getByText('A new season begins now.').waitFor()
    expect(await page.getByText('First three before').count()).to.equal(0)
    await press('Apply rules')
    await page.getByText('The seasons were changed.').waitFor()
    expect((await read()).seasons).to.include({ cron: 'weekly', time_zone: ZONE })
    await page.getByText(`Seasons: weekly (${ZONE})`).waitFor()
  })

  it('does not read the rules often after a change of the schedule, which no rule change follows', async () => {
    let [ofRules, ofRows] = [0, 0]
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (searchParams.get('type') === 'LeaderboardRulesChanged') ofRules++
      if (pathname === `/api/lb/${board.id}/score/`) ofRows++
    })
    await setSchedule('monthly')
    ofRows = 0
    ofRules = 0
    // More than six seconds. The rules are read at once, a moment later, and at most once in 15 seconds.
    await eventually(() => ofRows >= 6)
    expect(ofRules).to.be.at.most(3)
  })

  it('counts down to the end of the open season', async () => {
    const [open] = await seasons()
    await eventually(async () => (await options())[1] === `Season ${open?.season}, open`)
    const countdown = page.locator('.countdown')
    expect(await countdown.locator('time').getAttribute('datetime')).to.equal(open?.ends)
    const text = (await countdown.textContent()) ?? ''
    const leftMs = Date.parse(open?.ends ?? '') - Date.now()
    expect(text).to.match(new RegExp(`^Season ${open?.season} ends in (\\d+ \\S+ ){2}· `))
    const parts = [...text.matchAll(/(\d+) (d|h|min|s) /g)].map(([, count, unit = '']) => ({
      ms: Number(count) * (UNITS_MS[unit] ?? 0),
      unit: UNITS_MS[unit] ?? 0,
    }))
    const sum = parts.reduce((ms, part) => ms + part.ms, 0)
    expect(Math.abs(leftMs - sum)).to.be.at.most((parts.at(-1)?.unit ?? 0) + 2_000)
  })

  it('shows the open season without final ranks', async () => {
    await submit(ada, '30')
    await submit(bo, '20.5')
    await field().selectOption('current')
    await eventually(async () => (await shown()).length === 2)
    expect(await heads()).to.deep.equal(['Rank', 'Player', 'Score'])
    expect(await shown()).to.deep.equal([
      ['1', 'Ada', '30'],
      ['2', 'Bo', '20.5'],
    ])
    expect(new URL(page.url()).searchParams.get('season')).to.equal('current')
  })

  it('closes a season with its final ranks, and lists the next one', async () => {
    const [closing] = await seasons()
    await setSchedule('daily')
    await eventually(async () => (await seasons())[1]?.state === 'closed')
    const [open, closed] = await seasons()
    expect(closed?.season).to.equal(closing?.season)
    const [starts, ends] = [Date.parse(closed?.starts ?? ''), Date.parse(closed?.ends ?? '')]
    const days = DAY.formatRange(starts, Math.max(starts, ends - 1))
    await eventually(async () => (await options())[1] === `Season ${open?.season}, open`)
    expect((await options()).slice(0, 3)).to.deep.equal([
      'All time',
      `Season ${open?.season}, open`,
      `Season ${closed?.season}, ${days}`,
    ])
    await page.getByText('No scores here').waitFor()
    await submit(bo, '50')
    await field().selectOption(String(closed?.season))
    await eventually(async () => (await shown()).length === 2)
    expect(await heads()).to.deep.equal(['Rank', 'Final rank', 'Player'])
    expect(await shown()).to.deep.equal([
      ['1', '1', 'Ada'],
      ['2', '2', 'Bo'],
    ])
  })

  it('keeps the final ranks of a closed season when a player is banned', async () => {
    await world.send('POST', `/api/gm/${world.game}/players/${ada.id}/ban/`, {})
    await page.reload()
    await eventually(async () => (await shown()).length === 1)
    expect(await shown()).to.deep.equal([['1', '2', 'Bo']])
    await rows().getByRole('link').click()
    const panel = page.getByRole('complementary', { name: 'Score' })
    await panel.getByText('Final rank').waitFor()
    expect(
      await panel
        .locator('div', { has: page.getByText('Final rank', { exact: true }) })
        .locator('dd')
        .allTextContents(),
    ).to.deep.equal(['2'])
    await page.keyboard.press('Escape')
  })

  it('returns to all time by Back, and keeps no season then', async () => {
    await field().selectOption('')
    await eventually(async () => (await shown()).join() === '1,Bo,50')
    expect(new URL(page.url()).searchParams.has('season')).to.equal(false)
    await page.goBack()
    await eventually(async () => (await shown()).join() === '1,2,Bo')
  })

  it('gives axe nothing to find in a closed season, wide in light and narrow in dark, and has rows of two lines there', async () => {
    expect(await auditOf(page)).to.deep.equal([])
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await auditOf(page)).to.deep.equal([])
    expect(await rows().locator('td.final').textContent()).to.equal('2')
    const sizes = await rows().evaluateAll((all) =>
      all.map((row) => {
        const element = row as unknown as { offsetHeight: number }
        return element.offsetHeight
      }),
    )
    expect(sizes).to.deep.equal([3.5 * 16])
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
