// A leaderboard's page in Chromium: instants, rules, why, bans, filters.

import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { MoversPage } from '../../clients/javascript/admin.ts'
import type { ScoreExplanation } from '../../clients/javascript/history.ts'
import type { Leaderboard, Movement, Mover, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import { localDecimal } from '../../console/src/decimals.ts'
import { eventually } from '../until.ts'
import { bash, type ConsoleWorld, chooseInRow, copied, goTo, openConsole, readRows } from './console-world.ts'

describe("console: a leaderboard's page", () => {
  let world: ConsoleWorld
  let page: Page
  let board: Leaderboard

  before(async () => {
    world = await openConsole()
    const { leaderboards } = await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)
    board = leaderboards[0] as Leaderboard
    page = await world.signedIn(world.gameKey)
    await goTo(page, 'Leaderboards')
    await page.getByRole('link', { name: 'High score' }).click()
    await page.getByRole('heading', { level: 1, name: 'High score' }).waitFor()
  })
  after(() => world?.close())

  const table = () => page.getByRole('region', { name: 'Scores' })
  const bodyRows = () => table().locator('tbody tr:not(.space)')
  /** The shown rows as rank, player and score, once the table shows what is wanted. */
  async function shownRows(): Promise<string[][]> {
    await page.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    return readRows(bodyRows())
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
    scores.map((row) => [
      localDecimal(String(row.rank), 'en-US'),
      row.player_name ?? row.player,
      localDecimal(row.score, 'en-US'),
    ])
  const read = (query: string) => world.get<ScoresPage>(`/api/lb/${board.id}/score/?limit=100${query}`)
  /** The times of all submissions. */
  async function submissions(): Promise<string[]> {
    const path = `/api/gm/${world.game}/events/?board=${board.id}&type=ScoreSubmitted`
    const lines = await (await fetch(world.url + path, { headers: { Authorization: `Bearer ${world.token}` } })).text()
    return lines
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { time: string }).time)
  }
  const moveOf = (before: number | null, after: number | null): string => {
    const isUp = after !== null && (before === null || after < before)
    const places = before === null || after === null ? '' : String(Math.abs(after - before))
    return `${isUp ? '▲up' : '▼down'}${places}`
  }
  const slider = () => page.getByRole('slider', { name: 'Moment' })

  it('names the columns, and shows the rows that the API answers', async () => {
    const rows = await shownRows()
    const heads = await table().locator('thead th').allTextContents()
    expect(heads.slice(0, 5)).to.deep.equal(['Rank', 'Player', 'Score', 'Secondary', 'When'])
    expect(rows).to.deep.equal(rowsOf(await read('')).slice(0, rows.length))
  })

  it('shows the first row without scrolling, at 1440 × 900 and 360 × 740', async () => {
    for (const size of [
      { width: 360, height: 740 },
      { width: 1_440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      await eventually(async () => {
        const box = await bodyRows().first().boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= size.height
      })
    }
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

  it('opens a panel beside the table that explains the score in sentences and draws the rank over time', async () => {
    const [first] = (await read('')).scores
    const why = await world.get<ScoreExplanation>(`/api/score/${first?.id}/why/`)
    const { keys } = await world.get<{ keys: { prefix: string; name: string }[] }>(`/api/gm/${world.game}/keys/`)
    const local = (value: unknown) => localDecimal(String(value), 'en-US')
    let before: unknown = null
    const expected = why.events.map(({ effect, event: { data, meta } }) => {
      if (effect === 'rules') return 'The rules in force: Highest first, one entry per player (their best submission).'
      const key = keys.find(({ prefix }) => prefix === meta.actor)?.name
      const better = effect === 'improved' ? ` Better than ${local(before)}.` : ''
      before = data.score
      return `Submitted ${local(data.score)}, secondary ${local(data.secondary)}, by the key ${key}.${better}`
    })
    expect(expected.length).to.be.greaterThan(1)
    await page.goto(`${world.url}/console/leaderboards/${board.id}`)
    await shownRows()
    await bodyRows().first().locator('td').nth(2).click()
    const panel = page.getByRole('complementary', { name: 'Score' })
    await panel.getByText(expected.at(-1) ?? '').waitFor()
    expect(await panel.locator('ol.timeline > li > p:first-child').allTextContents()).to.deep.equal(expected)
    await panel.locator('canvas').waitFor()
    expect(new URL(page.url()).searchParams.get('row')).to.equal(first?.id)
    await page.reload()
    await panel.getByText(expected.at(-1) ?? '').waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
    await chooseInRow(bodyRows().first(), 'Rank over time')
    await panel.locator('canvas').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Rank over time')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).to.equal('More')
  })

  it('shows the values of a rank over time by keyboard', async () => {
    await chooseInRow(bodyRows().first(), 'Rank over time')
    const panel = page.getByRole('complementary', { name: 'Score' })
    await panel.locator('canvas').waitFor()
    const { points } = await world.get<Movement>(
      `/api/lb/${board.id}/history/?player=${(await read('')).scores[0]?.player}&points=200`,
    )
    await panel.locator('figure [role=group]').focus()
    for (const [key, at] of [
      ['Home', 0],
      ['ArrowRight', 1],
      ['ArrowLeft', 0],
    ] as const) {
      await page.keyboard.press(key)
      const point = points[at]
      const value = `rank ${point?.rank}, score ${localDecimal(point?.score ?? '', 'en-US')}`
      await panel.getByText(value).first().waitFor()
    }
    await page.keyboard.press('Escape')
  })

  it('draws the rank over time again in the colors of the other theme', async () => {
    await chooseInRow(bodyRows().first(), 'Rank over time')
    const canvas = page.getByRole('complementary', { name: 'Score' }).locator('canvas')
    await canvas.waitFor()
    const drawn = () => canvas.evaluate((element) => (element as unknown as { toDataURL(): string }).toDataURL())
    const light = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await eventually(async () => (await drawn()) !== light)
    await page.emulateMedia({ colorScheme: 'light' })
    await eventually(async () => (await drawn()) === light)
    await page.keyboard.press('Escape')
  })

  it('groups digits, and copies plain numbers, also those that are selected by hand', async () => {
    const [first] = (await read('')).scores
    expect(await bodyRows().first().locator('td').nth(2).textContent()).to.equal(
      localDecimal(first?.score ?? '', 'en-US'),
    )
    await page.evaluate(`{
      const row = document.querySelector('section[aria-label="Scores"] tbody tr:not(.space)')
      getSelection().setBaseAndExtent(row.cells[1], 0, row.cells[2], 1)
    }`)
    await page.keyboard.press('ControlOrMeta+C')
    expect(await copied(page)).to.equal(`${first?.player_name}\t${first?.score}`)
    await page.evaluate('getSelection().removeAllRanges()')
  })

  it('goes one event back from now and forward again, and to a date and time', async () => {
    const events = await submissions()
    const times = [...new Set(events)].toSorted().toReversed()
    for (const expected of [times[1], times[2]]) {
      await page.getByRole('button', { name: 'One event back' }).click()
      await eventually(async () => (await slider().getAttribute('aria-valuetext')) === expected)
      const rows = await shownRows()
      expect(rows).to.deep.equal(rowsOf(await read(`&as_of=${expected}`)).slice(0, rows.length))
    }
    for (const expected of [times[1], times[0]]) {
      await page.getByRole('button', { name: 'One event forward' }).click()
      await eventually(async () => (await slider().getAttribute('aria-valuetext')) === expected)
    }
    await page.getByRole('button', { name: 'One event forward' }).click()
    await eventually(async () => (await slider().getAttribute('aria-valuetext')) === 'now')
    // The field has whole seconds. This one has passed by now.
    const whole = new Date(Math.ceil(Date.parse(times[0] ?? '') / 1_000) * 1_000).toISOString().slice(0, 19)
    await page.getByLabel('Go to').fill(
      await page.evaluate(`{
      const date = new Date(${JSON.stringify(`${whole}Z`)})
      new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19)
    }`),
    )
    await eventually(async () => (await slider().getAttribute('aria-valuetext')) === `${whole}.000Z`)
    expect(new URL(page.url()).searchParams.get('at')).to.equal(`${whole}.000Z`)
    await page.getByRole('button', { name: 'Back to now' }).click()
  })

  it('compares a moment with now: who moved, how far, who is new', async () => {
    const times = (await submissions()).toSorted()
    const at = times[Math.floor(times.length / 4)] ?? ''
    await page.goto(`${world.url}/console/leaderboards/${board.id}?at=${at}&compare=now`)
    const [then, now] = [await read(`&as_of=${at}`), await read('')]
    const before = new Map(then.scores.map((score) => [score.player, score]))
    const rows = page.getByRole('region', { name: 'Table: Scores at two moments' }).locator('tbody tr')
    await rows.first().waitFor()
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => (row as unknown as { cells: { textContent: string }[] }).cells[1]?.textContent),
    )
    const expected = now.scores.slice(0, shown.length).map(({ player, rank }) => {
      const old = before.get(player)?.rank
      if (old === undefined) return 'new'
      return old === rank ? 'same rank' : old > rank ? `▲up${old - rank}` : `▼down${rank - old}`
    })
    expect(shown).to.deep.equal(expected)
    expect(new Set(expected).size).to.be.greaterThan(2)
    await page.goto(`${world.url}/console/leaderboards/${board.id}`)
    await shownRows()
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
    const apply = page.getByRole('button', { name: 'Apply rules' })
    expect(await apply.getAttribute('aria-disabled')).to.equal('true')
    await page.getByRole('button', { name: 'Preview rules' }).click()
    const movers = page.getByRole('region', { name: 'Who moves' })
    await movers.waitFor()
    expect(await movers.locator('thead th').allTextContents()).to.deep.equal(['Player', 'Before', 'After', 'Move'])
    await page.getByLabel('Least score accepted').fill('1')
    expect(await apply.getAttribute('aria-disabled')).to.equal('true')
    await page.getByLabel('Least score accepted').fill('')
    const { summary } = await world.send<MoversPage>('POST', `/api/lb/${board.id}/preview/?summary=1`, {
      ordering: 'asc',
    })
    const tiles = await page.locator('.tile').allTextContents()
    expect(tiles).to.deep.equal([`Moved${summary?.moved}`, `Entered${summary?.entered}`, `Left${summary?.left}`])
    const podium = page.getByRole('region', { name: 'First three after' }).getByRole('listitem')
    expect(await podium.allTextContents()).to.deep.equal(
      summary?.podium.after.map(({ player_name: name, score }) => `${name} ${localDecimal(score, 'en-US')}`),
    )
    await apply.click()
    await page.getByText(`The new rules are in force. ${summary?.moved} players moved, entered or left.`).waitFor()
    await page.reload()
    await page.locator('.board-facts').getByText('Lowest first, one entry per player').waitFor()
    await eventually(async () => (await shownRows())[0]?.[2] !== before[0]?.[2])
    expect(await page.getByRole('button', { name: 'Undo' }).isVisible()).to.equal(true)
    await page.getByRole('button', { name: 'Go back to Highest first' }).click()
    await movers.waitFor()
    expect((await world.get<Leaderboard>(`/api/lb/${board.id}/`)).ordering).to.equal('asc')
    await apply.click()
    await page.locator('.board-facts').getByText('Highest first, one entry per player').waitFor()
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
      [player_name ?? player, before ?? 'enters', after ?? 'leaves', moveOf(before, after)].join(''),
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
    await eventually(async () => (await shownRows())[0]?.[2] === localDecimal(second?.score ?? '', 'en-US'))
    await page.reload()
    await page.getByRole('button', { name: new RegExp(`${first?.player_name} banned`) }).waitFor()
    await shownRows()
    await chooseInRow(bodyRows().first(), 'Delete score')
    await page.keyboard.press('Escape')
    expect((await shownRows())[0]?.[2]).to.equal(localDecimal(second?.score ?? '', 'en-US'))
    await chooseInRow(bodyRows().first(), 'Delete score')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete score' }).click()
    await page.getByText('The score was deleted.').waitFor()
    expect((await read('')).scores[0]?.player).to.not.equal(second?.player)
  })

  it('shows the key of the leaderboard, changes it, and lists it', async () => {
    await page.goto(`${world.url}/console/leaderboards/${board.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Change key', exact: true }).click()
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
    await page.locator('.board-facts').getByText('top-ten', { exact: true }).waitFor()
    expect((await world.get<Leaderboard>('/api/lb/top-ten/')).id).to.equal(board.id)
    await page.goto(`${world.url}/console/leaderboards`)
    const row = page.getByRole('row', { name: board.name })
    await row.getByRole('cell', { name: 'top-ten', exact: true }).waitFor()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
