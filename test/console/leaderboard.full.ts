// A leaderboard's page in Chromium: instants, rules, why, bans, filters.

import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { MoversPage } from '../../clients/javascript/admin.ts'
import type { Leaderboard, Mover, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import { eventually } from '../until.ts'
import { bash, type ConsoleWorld, copied, openConsole } from './console-world.ts'

describe("console: a leaderboard's page", () => {
  let world: ConsoleWorld
  let page: Page
  let board: Leaderboard

  before(async () => {
    world = await openConsole()
    const { leaderboards } = await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)
    board = leaderboards[0] as Leaderboard
    page = await world.signedIn(world.gameKey)
    await page.getByRole('link', { name: 'High score' }).click()
    await page.getByRole('heading', { level: 1, name: 'High score' }).waitFor()
  })
  after(() => world?.close())

  const table = () => page.getByRole('region', { name: 'Scores' })
  const bodyRows = () => table().locator('tbody tr:not(.space)')
  /** The shown rows as rank, player and score, once the table shows what is wanted. */
  async function shownRows(): Promise<string[][]> {
    await page.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    return bodyRows().evaluateAll((rows) =>
      rows.map((row) =>
        [0, 1, 2].map((at) => (row as unknown as { cells: { textContent: string }[] }).cells[at]?.textContent ?? ''),
      ),
    )
  }
  async function anotherBoard(name: string): Promise<Leaderboard> {
    const { leaderboards } = await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)
    return leaderboards.find((one) => one.name === name) as Leaderboard
  }
  async function allMovers(id: string): Promise<Mover[]> {
    const all: Mover[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page: MoversPage = await world.send('POST', `/api/lb/${id}/preview/?limit=100&offset=${offset}`, {
        ordering: 'asc',
      })
      all.push(...page.movers)
      offset = page.next_offset
    }
    return all
  }
  const rowsOf = ({ scores }: ScoresPage) =>
    scores.map((row) => [String(row.rank), row.player_name ?? row.player, row.score])
  const read = (query: string) => world.get<ScoresPage>(`/api/lb/${board.id}/score/?limit=100${query}`)
  const slider = () => page.getByRole('slider', { name: 'Moment' })

  it('names the columns, and shows the rows that the API answers', async () => {
    const rows = await shownRows()
    const heads = await table().locator('thead th').allTextContents()
    expect(heads.slice(0, 5)).to.deep.equal(['Rank', 'Player', 'Score', 'Secondary', 'When'])
    expect(rows).to.deep.equal(rowsOf(await read('')).slice(0, rows.length))
  })

  it('shows the leaderboard as of each instant that the slider names, by keyboard', async () => {
    await slider().focus()
    expect(await slider().getAttribute('aria-valuetext')).to.equal('now')
    await page.keyboard.press('Home')
    const [created] = (await read('')).scores
    expect(created).to.not.equal(undefined)
    await page.getByText('No scores here').waitFor()
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press('PageUp')
      const instant = (await slider().getAttribute('aria-valuetext')) ?? ''
      const expected = rowsOf(await read(`&as_of=${instant}`))
      if (expected.length === 0) continue
      const rows = await shownRows()
      expect(rows).to.deep.equal(expected.slice(0, rows.length))
    }
    await page.keyboard.press('End')
    expect(await slider().getAttribute('aria-valuetext')).to.equal('now')
    await shownRows()
  })

  it('plays from the creation to now, and pauses', async () => {
    await page.getByRole('button', { name: 'Play' }).click()
    await eventually(async () => (await slider().getAttribute('aria-valuetext')) !== 'now')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
  })

  it('searches names, and keeps the ranks of the leaderboard', async () => {
    const [, second] = (await read('')).scores
    await page.getByLabel('Search').fill(second?.player_name ?? '')
    await eventually(async () => (await bodyRows().count()) < 5)
    const expected = rowsOf(await read(`&player_name=${encodeURIComponent(second?.player_name ?? '')}`))
    expect(await shownRows()).to.deep.equal(expected)
    await page.getByLabel('Search').fill('')
  })

  it('jumps to a player far below, and marks the row', async () => {
    const { scores, count } = await read('')
    const last = scores[count - 1]
    await page.getByLabel('Jump to player').fill(last?.player ?? '')
    await page.getByRole('button', { name: 'Jump' }).click()
    const marked = table().locator('tr.marked')
    await marked.waitFor()
    expect((await marked.locator('td').first().textContent()) ?? '').to.equal(String(count))
  })

  it('explains a score by its events, and draws the rank over time', async () => {
    await bodyRows().first().getByRole('button', { name: 'Why' }).click()
    const why = page.getByRole('dialog')
    await why.getByText('Submitted').first().waitFor()
    expect(await why.locator('summary', { hasText: 'LeaderboardCreated' }).count()).to.equal(1)
    await page.keyboard.press('Escape')
    await bodyRows().first().getByRole('button', { name: 'Rank over time' }).click()
    await page.getByRole('dialog').locator('canvas').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Rank over time')
  })

  it('copies a curl command that answers the same rows', async () => {
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('The command contains the token of your session').waitFor()
    const answer = JSON.parse(await bash(await copied(page))) as ScoresPage
    expect(rowsOf(answer)).to.deep.equal(rowsOf(await read('')))
  })

  it('previews other rules, applies them over a reload, and undoes them', async () => {
    const before = rowsOf(await read(''))
    await page.getByRole('button', { name: 'Edit rules' }).click()
    await page.getByLabel('Best score').selectOption('asc')
    await page.getByRole('button', { name: 'Preview rules' }).click()
    const movers = page.getByRole('region', { name: 'Who moves' })
    await movers.waitFor()
    expect(await movers.locator('thead th').allTextContents()).to.deep.equal(['Player', 'Before', 'After'])
    await page.getByRole('button', { name: 'Apply rules' }).click()
    await page.getByText('The rule change has begun.').waitFor()
    await page.reload()
    await page.getByText('Lowest first, one entry per player').waitFor()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await shownRows()
    expect((await shownRows())[0]?.[2]).to.not.equal(before[0]?.[2])
    await undo.click()
    await page.getByText('Highest first, one entry per player').waitFor()
    await eventually(async () => (await shownRows())[0]?.[2] === before[0]?.[2])
    expect(rowsOf(await read(''))).to.deep.equal(before)
  })

  it('lists everybody who moves, page by page, and saves all of them as CSV', async () => {
    const every = await anotherBoard('Every run')
    await page.goto(`${world.url}/console/leaderboards/${every.id}`)
    await page.getByRole('button', { name: 'Edit rules' }).click()
    await page.getByLabel('Best score').selectOption('asc')
    await page.getByRole('button', { name: 'Preview rules' }).click()
    const rows = page.getByRole('region', { name: 'Who moves' }).locator('tbody tr')
    await rows.first().waitFor()
    const first = await rows.count()
    const movers = await allMovers(every.id)
    expect(movers.length).to.be.greaterThan(first)
    await page.getByRole('button', { name: `Show more (${movers.length - first} left)` }).click()
    await eventually(async () => (await rows.count()) > first)
    const cells = (await rows.allTextContents()).slice(first)
    const next = movers.slice(first, first + cells.length)
    const texts = next.map(({ player, player_name, before, after }) =>
      [player_name ?? player, before ?? 'enters', after ?? 'leaves'].join(''),
    )
    expect(cells).to.deep.equal(texts)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split(/\r?\n/)
    const saved = movers.map(({ player, player_name, before, after }) => [player, player_name, before, after].join(','))
    expect(lines.map((line) => line.replace(/^\ufeff/, ''))).to.deep.equal([
      'player,player_name,before,after',
      ...saved,
    ])
  })

  it('shows the progress of a rule change, also after a reload, and cancels it', async () => {
    const { id } = await anotherBoard('Fewest moves')
    await world.send('PUT', `/api/lb/${id}/`, { max_score: '400' })
    let sent = ''
    let state = { state: 'running', done: 412, total: 1_200, eta_seconds: 3 }
    // The change of a small leaderboard is over before anybody sees it.
    await page.route(`**/api/lb/${id}/rebuild/`, async (route) => {
      sent = route.request().method()
      const answer = await route.fetch({ method: 'GET' })
      if (sent === 'DELETE') state = { ...state, state: 'cancelled' }
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...state } })
    })
    await page.goto(`${world.url}/console/leaderboards/${id}`)
    for (let visit = 0; visit < 2; visit++) {
      await page.getByText('412 of 1,200 events, about 3 s left').waitFor()
      expect(await page.getByRole('progressbar').getAttribute('value')).to.equal('412')
      await page.reload()
    }
    await page.getByRole('button', { name: 'Cancel rule change' }).click()
    await page.getByText('The rule change was cancelled. The leaderboard is as it was.').waitFor()
    expect(sent).to.not.equal('')
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await page.unroute(`**/api/lb/${id}/rebuild/`)
    await page.goto(`${world.url}/console/leaderboards/${board.id}`)
    await shownRows()
  })

  it('shows a banned player leave the live table, and deletes a score after a confirmation', async () => {
    const [first, second] = (await read('')).scores
    await world.service.json('player', 'ban', first?.player ?? '', '--reason', 'cheating')
    await eventually(async () => (await shownRows())[0]?.[2] === second?.score)
    await bodyRows().first().getByRole('button', { name: 'Delete score' }).click()
    await page.keyboard.press('Escape')
    expect((await shownRows())[0]?.[2]).to.equal(second?.score)
    await bodyRows().first().getByRole('button', { name: 'Delete score' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete score' }).click()
    await page.getByText('The score was deleted.').waitFor()
    expect((await read('')).scores[0]?.player).to.not.equal(second?.player)
  })

  it('shows the key of the leaderboard, changes it, and lists it', async () => {
    await page.goto(`${world.url}/console/leaderboards/${board.id}`)
    const open = page.getByRole('button', { name: 'Change key', exact: true })
    await open.click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Key', { exact: true })
    const change = dialog.getByRole('button', { name: 'Change key' })
    expect(await field.inputValue()).to.equal(board.key)
    await field.fill('Not a key')
    await change.click()
    await dialog.getByText('must be 2 to 63 characters').waitFor()
    const refused = 'Failed to load resource: the server responded with a status of 400 (Bad Request)'
    expect(world.faults.splice(0)).to.deep.equal([`console: ${refused} ${world.url}/api/lb/${board.id}/`])
    await field.fill('top-ten')
    await change.click()
    await page.locator('p').getByText('top-ten', { exact: true }).waitFor()
    expect((await world.get<Leaderboard>('/api/lb/top-ten/')).id).to.equal(board.id)
    await page.goto(`${world.url}/console/leaderboards`)
    const row = page.getByRole('row', { name: board.name })
    await row.getByRole('cell', { name: 'top-ten', exact: true }).waitFor()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
