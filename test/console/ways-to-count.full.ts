// What an entry shows, in Chromium: the form of the rules, their preview and history, why a total, windows, keys.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { ScoreExplanation } from '../../clients/javascript/history.ts'
import type { Leaderboard, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import { localDecimal } from '../../console/src/decimals.ts'
import { eventually } from '../until.ts'
import { type ConsoleWorld, chooseInRow, copied, goTo, openConsole } from './console-world.ts'
import { type TotalsBoard, totalsBoard } from './totals-board.ts'

describe('console: ways to count', () => {
  let world: ConsoleWorld
  let page: Page
  let coins: TotalsBoard

  before(async () => {
    world = await openConsole()
    coins = await totalsBoard(world)
    page = await world.signedIn(world.gameKey)
  })
  after(() => world?.close())

  const dialog = () => page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const boards = async () =>
    (await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)).leaderboards
  const board = () => world.get<Leaderboard>(`/api/lb/${coins.board.id}/`)
  const rows = () => page.locator('section[aria-label="Scores"] tbody tr:not(.space)')
  const panel = () => page.getByRole('complementary', { name: 'Score' })
  const openBoard = async () => {
    await page.goto(`${world.url}/console/leaderboards/${coins.board.id}`)
    await rows().first().waitFor()
    await page.getByRole('slider').waitFor()
  }
  const chooseMore = async (name: string) => {
    await press('More actions')
    await page.getByRole('menuitem', { name }).click()
  }
  const shownScores = async () => {
    await page.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    return page.locator('section[aria-label="Scores"] tbody tr:not(.space) td:nth-child(3)').allTextContents()
  }

  it('creates a leaderboard of latest submissions, and lists how it counts', async () => {
    await goTo(page, 'Leaderboards')
    await press('Create leaderboard')
    await dialog().getByLabel('Name').fill('Last round')
    await dialog().getByLabel('The entry shows').selectOption('The latest submission')
    await dialog().getByRole('button', { name: 'Create leaderboard' }).click()
    await page.getByRole('heading', { name: 'Last round', exact: true }).waitFor()
    await page.getByText('Highest first, one entry per player (their latest submission)').waitFor()
    expect((await boards()).find(({ name }) => name === 'Last round')).to.include({ keep: 'latest', unique: true })
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Leaderboards' })
      .click()
    const row = page.getByRole('row', { name: /Coins collected/ })
    await row.getByText('one entry per player (the total of their submissions)').waitFor()
  })

  it('sends no rules that want a total where every submission is an entry, and says what to do', async () => {
    const before = (await boards()).length
    await goTo(page, 'Leaderboards')
    await press('Create leaderboard')
    await dialog().getByLabel('Name').fill('Impossible')
    await dialog().getByLabel('The entry shows').selectOption('The total of all submissions')
    await dialog().getByLabel('One entry per player').uncheck()
    const fault =
      'Where every submission is an entry, there is no total to show. Choose “The best submission”, or check “One entry per player”.'
    await dialog().getByText(fault).waitFor()
    const keep = dialog().getByLabel('The entry shows')
    expect(await keep.getAttribute('aria-invalid')).to.equal('true')
    const create = dialog().getByRole('button', { name: 'Create leaderboard' })
    expect(await create.getAttribute('aria-disabled')).to.equal('true')
    await dialog().getByLabel('Name').press('Enter')
    await keep.selectOption('The best submission')
    await dialog().getByText(fault).waitFor({ state: 'detached' })
    expect(await keep.count()).to.equal(0)
    await page.keyboard.press('Escape')
    expect((await boards()).length).to.equal(before)
    await openBoard()
    await press('Edit rules')
    await page.getByLabel('One entry per player').uncheck()
    await page.getByText(fault).waitFor()
    for (const name of ['Preview rules', 'Apply rules']) {
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled'), name).to.equal('true')
    }
  })

  it('previews another way to count, applies it, undoes it, and keeps all of them in the history of rules', async () => {
    await openBoard()
    expect(await shownScores()).to.deep.equal(['881.5', '700'])
    await press('Edit rules')
    await page.getByLabel('The entry shows').selectOption('The latest submission')
    const changes = page.getByRole('region', { name: 'What changes' })
    expect(await changes.getByRole('listitem').allTextContents()).to.deep.equal([
      'one entry per player (the total of their submissions) → becomes one entry per player (their latest submission)',
    ])
    await press('Preview rules')
    await page.getByText('2 entries before, 2 after. 2 players move, enter or leave.').waitFor()
    await press('Apply rules')
    await page.getByText('The new rules are in force. 2 players moved, entered or left.').waitFor()
    await eventually(async () => (await board()).keep === 'latest')
    await eventually(async () => (await shownScores()).join() === '700,41.5')
    const undo = page.getByRole('button', { name: 'Undo' })
    const total = 'Highest first, one entry per player (the total of their submissions)'
    await eventually(async () => (await undo.getAttribute('title')) === `Go back to ${total}`)
    await undo.click()
    await page.getByText('2 entries before, 2 after. 2 players move, enter or leave.').waitFor()
    expect((await board()).keep).to.equal('latest')
    await press('Apply rules')
    await eventually(async () => (await board()).keep === 'total')
    await eventually(async () => (await shownScores()).join() === '881.5,700')
    await press('Edit rules')
    await page.getByText('Rules so far').click()
    const latest = 'Highest first, one entry per player (their latest submission)'
    const listed = page.locator('details ol.timeline > li > p:nth-child(2)')
    await eventually(async () => (await listed.count()) === 3)
    expect(await listed.allTextContents()).to.deep.equal([total, latest, total])
    expect(await page.locator('details ol.timeline .badge').allTextContents()).to.deep.equal(['in force'])
  })

  it('shows the rules of an event of the history in words', async () => {
    await page.goto(`${world.url}/console/history?show=all&board=${coins.board.id}&type=LeaderboardRulesChanged`)
    await page.getByRole('region', { name: 'Events' }).locator('tbody tr button').first().click()
    await dialog().getByText('Highest first, one entry per player (the total of their submissions)').waitFor()
    await page.keyboard.press('Escape')
  })

  it('lists the submissions that a total counts, newest first, page by page', async () => {
    await openBoard()
    await chooseInRow(rows().first(), 'Why')
    await panel().getByText('The score is the total of these 41 submissions, newest first.').waitFor()
    const listed = panel().locator('ol.timeline > li > p:first-child')
    const seen: string[] = []
    for (const range of ['1 to 20 of 41', '21 to 40 of 41', '41 to 41 of 41']) {
      await panel().getByText(range).waitFor()
      await panel().locator('ol[aria-busy="false"]').waitFor()
      seen.push(...(await listed.allTextContents()))
      if (seen.length < coins.scores.length) await panel().getByRole('button', { name: 'Next' }).click()
    }
    const { keys } = await world.get<{ keys: { prefix: string; name: string }[] }>(`/api/gm/${world.game}/keys/`)
    const key = keys.find(({ prefix }) => prefix === world.gameKey.prefix)?.name
    const sentences = coins.scores.map((score) => `Submitted ${score}, secondary 1, by the key ${key}. Counted.`)
    expect(seen).to.deep.equal(sentences.toReversed())
    await panel().getByRole('button', { name: 'Previous' }).click()
    await panel().getByText('21 to 40 of 41').waitFor()
    await page.keyboard.press('Escape')
  })

  it('names a submission that replaced the one before', async () => {
    const round = (await boards()).find(({ name }) => name === 'Last round') as Leaderboard
    const submit = (score: string) =>
      world.send<{ id: string }>('POST', `/api/lb/${round.id}/score/`, { player: coins.first.id, score })
    const { id } = await submit('10')
    await submit('7')
    const why = await world.get<ScoreExplanation>(`/api/score/${id}/why/`)
    expect(why.events.map(({ effect }) => effect)).to.deep.equal(['rules', 'began', 'replaced'])
    await page.goto(`${world.url}/console/leaderboards/${round.id}`)
    await chooseInRow(rows().first(), 'Why')
    await panel().getByText('Later than 10, which it replaced.').waitFor()
    const { keys } = await world.get<{ keys: { prefix: string; name: string }[] }>(`/api/gm/${world.game}/keys/`)
    const key = keys.find(({ prefix }) => prefix === world.gameKey.prefix)?.name
    expect(await panel().locator('ol.timeline > li > p:first-child').allTextContents()).to.deep.equal([
      'The rules in force: Highest first, one entry per player (their latest submission).',
      `Submitted 10, by the key ${key}.`,
      `Submitted 7, by the key ${key}. Later than 10, which it replaced.`,
    ])
    await page.keyboard.press('Escape')
  })

  it('ranks a window by what was submitted inside it, unless that is switched off', async () => {
    const highScore = (await boards()).find(({ name }) => name === 'High score') as Leaderboard
    const queries: URLSearchParams[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === `/api/lb/${highScore.id}/score/`) queries.push(searchParams)
    })
    await page.goto(`${world.url}/console/leaderboards/${highScore.id}`)
    await page.getByLabel('Window').selectOption('week')
    const inside = page.getByRole('checkbox', { name: 'Best score inside the window' })
    expect(await inside.isChecked()).to.equal(true)
    const about = 'Each player is ranked by their best submission inside the window, whatever they had before.'
    await page.getByText(about).waitFor()
    await eventually(() => queries.at(-1)?.get('since') != null)
    const query = queries.at(-1) as URLSearchParams
    expect(query.get('window')).to.equal('best')
    const expected = await world.get<ScoresPage>(`/api/lb/${highScore.id}/score/?${query}`)
    const shown = await shownScores()
    expect(shown).to.deep.equal(expected.scores.slice(0, shown.length).map(({ score }) => localDecimal(score, 'en-US')))
    await inside.uncheck()
    await page.getByText('Only players whose best submission of all time is inside the window are listed.').waitFor()
    await eventually(() => queries.at(-1)?.has('window') === false)
    const every = (await boards()).find(({ unique }) => !unique) as Leaderboard
    await page.goto(`${world.url}/console/leaderboards/${every.id}`)
    await page.getByLabel('Window').selectOption('week')
    await page.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    expect(await page.getByRole('checkbox').count()).to.equal(0)
  })

  it('reads the same window again on a live leaderboard, so that the server can index it', async () => {
    const since = new Set<string | null>()
    let reads = 0
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname !== `/api/lb/${coins.board.id}/score/` || !searchParams.has('since')) return
      reads++
      since.add(searchParams.get('since'))
    })
    await openBoard()
    await page.getByLabel('Window').selectOption('month')
    await eventually(() => reads >= 3)
    expect(since.size).to.equal(1)
    expect(await shownScores()).to.deep.equal(['881.5', '700'])
  })

  it('says at the field that another leaderboard has the key, and removes a key', async () => {
    const ofBoard = (key: string | null) => eventually(async () => (await board()).key === key)
    await openBoard()
    await chooseMore('Change key')
    const field = dialog().getByLabel('Key', { exact: true })
    await field.fill('high-score')
    await dialog().getByRole('button', { name: 'Change key' }).click()
    const taken = dialog().getByText('Another leaderboard of this game has this key. Choose another key')
    await taken.waitFor()
    expect(await field.getAttribute('aria-describedby')).to.equal(await taken.getAttribute('id'))
    expect(await field.getAttribute('aria-invalid')).to.equal('true')
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).to.equal(true)
    const owner = (await boards()).find(({ name }) => name === 'High score') as Leaderboard
    const link = dialog().getByRole('link', { name: 'Open that leaderboard' })
    expect(await link.getAttribute('href')).to.equal(`/console/leaderboards/${owner.id}`)
    const refused = 'Failed to load resource: the server responded with a status of 409 (Conflict)'
    expect(world.faults.splice(0)).to.deep.equal([`console: ${refused} ${world.url}/api/lb/${coins.board.id}/`])
    await field.fill('')
    await dialog().getByRole('button', { name: 'Change key' }).click()
    await page.getByText('The key was removed. Calls need the id from now on.').waitFor()
    await ofBoard(null)
    await page.locator('.board-facts').getByText('Key', { exact: true }).waitFor({ state: 'detached' })
    await chooseMore('Change key')
    await field.fill('coins-again')
    await dialog().getByRole('button', { name: 'Change key' }).click()
    await ofBoard('coins-again')
    await chooseMore('Copy key')
    await page.getByText('Copied: coins-again').waitFor()
    expect(await copied(page)).to.equal('coins-again')
    await chooseMore('Copy id')
    await page.getByText(`Copied: ${coins.board.id}`).waitFor()
    expect(await copied(page)).to.equal(coins.board.id)
  })

  it('keeps the id in the address of a leaderboard that was opened by its key', async () => {
    await page.goto(`${world.url}/console/leaderboards/coins-again`)
    await page.getByRole('heading', { level: 1, name: 'Coins collected' }).waitFor()
    await eventually(() => new URL(page.url()).pathname === `/console/leaderboards/${coins.board.id}`)
    await rows().first().waitFor()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
