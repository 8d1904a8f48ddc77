// Every flow of the console by keyboard alone, in Chromium.

import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { Leaderboard, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import { localDecimal } from '../../console/src/decimals.ts'
import { eventually } from '../until.ts'
import { bash, type ConsoleWorld, copied, openConsole, readRows } from './console-world.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import { sendInRoom } from './room-member.ts'

describe('console: by keyboard alone', () => {
  let world: ConsoleWorld
  let page: Page
  let keys: Keyboard
  let board: Leaderboard

  before(async () => {
    world = await openConsole()
    const { leaderboards } = await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)
    board = leaderboards.find(({ name }) => name === 'High score') as Leaderboard
    page = await world.open()
    keys = keyboardOf(page)
  })
  after(() => world?.close())

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const goTo = async (name: string) => {
    await keys.press(name, page.getByRole('navigation', { name: 'Pages', exact: true }))
    await heading(name)
  }
  const read = (query: string) => world.get<ScoresPage>(`/api/lb/${board.id}/score/?limit=100${query}`)
  const rowsOf = ({ scores }: ScoresPage) =>
    scores.map((row) => [String(row.rank), row.player_name ?? row.player, localDecimal(row.score, 'en-US')])
  const bodyRows = (of = page) => of.getByRole('region', { name: 'Scores' }).locator('tbody tr:not(.space)')
  async function shownRows(of = page): Promise<string[][]> {
    await of.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    return readRows(bodyRows(of))
  }
  async function toBoard(): Promise<void> {
    await goTo('Leaderboards')
    await keys.press('High score')
    await heading('High score')
    await bodyRows().first().waitFor()
  }

  it('signs in with a key file, creates a game, verifies, and signs out', async () => {
    const choosing = page.waitForEvent('filechooser')
    await keys.reach(page.locator('input[type=file]'))
    await keys.key('Enter')
    await (await choosing).setFiles(world.operatorFile)
    await heading('Games')
    await keys.press('Create game')
    await keys.fill('Name', 'By keyboard', keys.dialog)
    await keys.key('Enter')
    await keys.dialog.getByText('The secret is shown only this time').waitFor()
    await keys.press('Copy Key file', keys.dialog)
    await keys.press('I have stored it', keys.dialog)
    await page.getByRole('rowheader', { name: 'By keyboard' }).waitFor()
    await goTo('System')
    await keys.press('Verify')
    await page.getByText(/^Equal: all /).waitFor()
    await keys.press('Sign out')
    await heading('Sign in')
  })

  it('opens by the link of `scorebook console`, creates a leaderboard, and issues a key', async () => {
    const { url } = await world.service.json<{ url: string }>('console', '--print', '--game', world.game)
    await page.goto('about:blank')
    await page.goto(`${world.url}/console/${new URL(url).hash}`)
    await heading('Overview')
    await goTo('Leaderboards')
    await keys.press('Create leaderboard')
    await keys.fill('Name', 'Typed', keys.dialog)
    await keys.choose('Best score', 'Lowest', keys.dialog)
    await keys.press('Create leaderboard', keys.dialog)
    await heading('Typed')
    await page.getByText('Lowest first, one entry per player').waitFor()
    await goTo('Keys')
    await keys.press('Issue key')
    await keys.fill('Name', 'typed key', keys.dialog)
    await keys.choose('Preset', 'Read-only', keys.dialog)
    await keys.press('Issue key', keys.dialog)
    await keys.press('Copy Shell', keys.dialog)
    expect(JSON.parse(await bash(await copied(page)))).to.include({ id: world.game })
    await keys.press('I have stored it', keys.dialog)
    await page.getByRole('rowheader', { name: 'typed key' }).waitFor()
  })

  it('compares each leaderboard that the slider shows with the same instant of the API', async () => {
    await toBoard()
    const slider = page.getByRole('slider', { name: 'Moment' })
    await keys.reach(slider)
    await keys.key('Home')
    await page.getByText('Nobody had an entry at this moment.').waitFor()
    for (const step of ['PageUp', 'PageUp', 'ArrowRight', 'PageUp', 'ArrowLeft']) {
      await keys.key(step)
      const instant = (await slider.getAttribute('aria-valuetext')) ?? ''
      const expected = rowsOf(await read(`&as_of=${instant}`))
      if (expected.length === 0) continue
      const rows = await shownRows()
      expect(rows, instant).to.deep.equal(expected.slice(0, rows.length))
    }
    await keys.key('End')
    expect(await slider.getAttribute('aria-valuetext')).to.equal('now')
  })

  it('finds a player, bans them, and sees them leave the live table', async () => {
    const live = await world.signedIn(world.gameKey)
    await live.goto(`${world.url}/console/leaderboards/${board.id}`)
    const [first, second] = await shownRows(live)
    await page.bringToFront()
    await goTo('Players')
    await keys.fill('Search', first?.[1] ?? '')
    await eventually(async () => (await page.locator('tbody tr').count()) === 1)
    await keys.press(first?.[1] ?? '')
    await heading(first?.[1] ?? '')
    await keys.press('Ban player')
    await keys.key('Escape')
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Ban player')
    await keys.key('Enter')
    await keys.fill('Reason', 'testing', keys.dialog)
    await keys.key('Enter')
    await eventually(async () => (await shownRows(live))[0]?.[1] === second?.[1])
    await keys.press('Unban player')
    await eventually(async () => (await shownRows(live))[0]?.[1] === first?.[1])
    await live.context().close()
    await page.bringToFront()
  })

  it('previews other rules, applies and undoes them', async () => {
    await toBoard()
    const before = rowsOf(await read(''))
    await keys.press('Edit rules')
    await keys.choose('Best score', 'Lowest')
    await keys.press('Preview rules')
    await page.getByRole('region', { name: 'Who moves' }).waitFor()
    await keys.press('Apply rules')
    await page.locator('.board-facts').getByText('Lowest first, one entry per player').waitFor()
    await eventually(async () => (await shownRows())[0]?.[2] !== before[0]?.[2])
    await keys.press('Undo')
    await page.getByRole('region', { name: 'Who moves' }).waitFor()
    await keys.press('Apply rules')
    await page.locator('.board-facts').getByText('Highest first, one entry per player').waitFor()
    await eventually(async () => (await shownRows())[0]?.[2] === before[0]?.[2])
    expect(rowsOf(await read(''))).to.deep.equal(before)
  })

  it('asks why, opens an event, and finds all events of its request', async () => {
    await toBoard()
    await keys.press('More', bodyRows().first())
    await page.getByRole('menuitem', { name: 'Why' }).waitFor()
    await keys.key('Enter')
    const panel = page.getByRole('complementary')
    await keys.reach(panel.locator('summary', { hasText: 'ScoreSubmitted' }))
    await keys.key('Enter')
    await keys.press('All events of this request', panel)
    await heading('History')
    const request = new URL(page.url()).searchParams.get('request')
    const events = page.getByRole('region', { name: 'Events' }).locator('tbody tr:not(.space)')
    await events.first().waitFor()
    for (const row of await events.all()) expect(await row.locator('td').nth(5).textContent()).to.equal(request)
    await keys.press('Copy as curl')
    await page.getByText('The command contains the token of your session').waitFor()
    const lines = (await bash(await copied(page))).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).meta.request)).to.deep.equal(
      Array.from({ length: await events.count() }, () => request),
    )
    await keys.press('Show all')
    await keys.fill('Request', request ?? '')
    await keys.key('Enter')
    await eventually(async () => new URL(page.url()).searchParams.get('request') === request)
  })

  it('uploads a file, sets and explains the rules of its folder, and downloads it', async () => {
    await goTo('Files')
    const choosing = page.waitForEvent('filechooser')
    await keys.press('Upload')
    await (await choosing).setFiles({ name: 'typed.txt', mimeType: 'text/plain', buffer: Buffer.from('by keyboard') })
    await page.getByText('was uploaded').waitFor()
    const saving = page.waitForEvent('download')
    await keys.press('Download', page.getByRole('row', { name: /typed\.txt/ }))
    expect(await readFile(await (await saving).path(), 'utf8')).to.equal('by keyboard')
    const chosen = page.locator('tr', { hasText: 'Read files' }).locator('input:checked')
    await keys.reach(chosen)
    await keys.key('ArrowLeft')
    await keys.press('Set rules')
    await page.getByText('The rules were set.').waitFor()
    await keys.fill('Path', '/typed.txt')
    await keys.press('Explain')
    await page.getByRole('columnheader', { name: 'Because' }).waitFor()
  })

  it('watches a room', async () => {
    const member = await sendInRoom(world)
    await goTo('Rooms')
    await keys.press('Watch room', page.getByRole('row', { name: /Console test/ }))
    await page.getByText('Listening.').waitFor()
    await member.say({ text: 'typed' })
    await page.getByText('"typed"').waitFor()
    member.close()
  })

  it('explains to a key without permissions what it may not do', async () => {
    await keys.press('Sign out')
    await heading('Sign in')
    const key = await world.service.json<{ prefix: string; secret: string }>(
      ...['key', 'issue', '--game', world.game, '--kind', 'server', '--permission', `gm:${world.game}:details`],
    )
    await keys.fill('Key prefix', key.prefix)
    await keys.fill('Secret', key.secret)
    await keys.reach(page.getByLabel('Keep for this tab'))
    await keys.key('Space')
    await keys.press('Sign in')
    await page.getByText(`lacks the permission gm:${world.game}:realtime`).waitFor()
    for (const name of ['Overview', 'Leaderboards', 'Players', 'Files', 'Rooms', 'Keys', 'History']) {
      await goTo(name)
      await page.getByRole('heading', { level: 2, name: 'Your key may not do this' }).waitFor()
    }
    await page.goto(`${world.url}/console/leaderboards`)
    await keys.press('Create leaderboard')
    await page.locator('.toasts').getByText(`gm:${world.game}:boards`).waitFor()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
