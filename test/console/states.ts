// Every page of the console in every state, for what has to hold in all of them, and for screenshots.

import type { Page } from 'playwright-core'
import type { Leaderboard, Season } from '../../clients/javascript/score-shapes.ts'
import { eventually } from '../until.ts'
import { type ConsoleWorld, chooseInRow, goTo, signIn } from './console-world.ts'
import { failures } from './failing-states.ts'
import { sendInRoom } from './room-member.ts'
import { totalsBoard } from './totals-board.ts'

/** Who is signed in: nobody, the operator, or the game's key. */
export type Signed = 'nobody' | 'operator' | 'game'

export interface State {
  readonly name: string
  readonly signed: Signed
  /** Brings a page of the console into the state. */
  show(page: Page, world: ConsoleWorld): Promise<void>
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor()
const dialog = (page: Page) => page.getByRole('dialog').waitFor()

const at = (name: string) => (page: Page) => goTo(page, name)

/** A page of the game on which a button has opened its dialog. */
function asking(name: string, open: State['show'], button: string): State {
  return {
    name,
    signed: 'game',
    async show(page, world) {
      await open(page, world)
      await press(page, button)
      await dialog(page)
    },
  }
}

const firstRow = (page: Page) => page.locator('section[aria-label="Scores"] tbody tr:not(.space)').first()

async function board(page: Page): Promise<void> {
  await goTo(page, 'Leaderboards')
  await page.getByRole('link', { name: 'High score' }).first().click()
  await page.getByRole('slider').waitFor()
  await firstRow(page).waitFor()
}

async function totals(page: Page, world: ConsoleWorld): Promise<void> {
  const coins = await totalsBoard(world)
  await page.goto(`${world.url}/console/leaderboards/${coins.board.id}`)
  await page.getByRole('slider').waitFor()
  await firstRow(page).waitFor()
}

/** A closed season of a leaderboard of its own. */
async function season(page: Page, { url, game, get, send }: ConsoleWorld): Promise<void> {
  const scheduled = (cron: string) => ({ seasons: { cron, time_zone: 'UTC' } })
  const cup = await send<Leaderboard>('POST', `/api/gm/${game}/lb/`, {
    name: 'Cup',
    ordering: 'desc',
    ...scheduled('weekly'),
  })
  const { players } = await get<{ players: { id: string }[] }>(`/api/gm/${game}/players/?limit=3`)
  for (const [at, { id }] of players.entries())
    await send('POST', `/api/lb/${cup.id}/score/`, { player: id, score: String(10 + at) })
  await send('PUT', `/api/lb/${cup.id}/`, scheduled('daily'))
  const seasons = async () => (await get<{ seasons: Season[] }>(`/api/lb/${cup.id}/seasons/`)).seasons
  await eventually(async () => (await seasons())[1]?.state === 'closed')
  await page.goto(`${url}/console/leaderboards/${cup.id}?season=1`)
  await firstRow(page).locator('td.final').waitFor()
}

async function player(page: Page, { get, game }: ConsoleWorld): Promise<void> {
  const { leaderboards } = await get<{ leaderboards: Leaderboard[] }>(`/api/gm/${game}/lb/`)
  const id = leaderboards.find(({ name }) => name === 'High score')?.id ?? ''
  const { scores } = await get<{ scores: { player: string }[] }>(`/api/lb/${id}/score/?limit=1`)
  await page.goto(page.url().replace(/\/console\/.*/, `/console/players/${scores[0]?.player}`))
  await heading(page, 'Sessions')
  await page.getByRole('row', { name: /High score/ }).waitFor()
}

const SIGNING_IN: readonly State[] = [
  { name: 'sign-in', signed: 'nobody', show: (page) => heading(page, 'Sign in') },
  {
    name: 'sign-in-refused',
    signed: 'nobody',
    async show(page) {
      await page.getByLabel('Key prefix').fill('sk_unknown')
      await page.getByLabel('Secret').fill('not the secret')
      await press(page, 'Sign in')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'sign-in-link-used',
    signed: 'nobody',
    async show(page, { url }) {
      await page.goto('about:blank')
      await page.goto(`${url}/console/#code=${'x'.repeat(43)}`)
      await heading(page, 'This link does not sign in')
    },
  },
]

const OPERATOR: readonly State[] = [
  { name: 'games', signed: 'operator', show: (page) => goTo(page, 'Games') },
  { ...asking('games-create', at('Games'), 'Create game'), signed: 'operator' },
  {
    name: 'system',
    signed: 'operator',
    async show(page) {
      await goTo(page, 'System')
      await press(page, 'Verify')
      await page.getByText(/^Equal: all /).waitFor()
    },
  },
]

/** Enters the demo game as the operator, and waits for its navigation. */
async function enterGame(page: Page): Promise<void> {
  await goTo(page, 'Games')
  await page.getByRole('rowheader', { name: 'Scorebook demo' }).getByRole('link').click()
  await page.getByRole('link', { name: 'Players', exact: true }).waitFor()
}

const IN_GAME: readonly State[] = [
  { name: 'operator-in-game', signed: 'operator', show: enterGame },
  {
    name: 'operator-switch-game',
    signed: 'operator',
    async show(page) {
      await enterGame(page)
      await press(page, 'Switch game')
      await dialog(page)
      await page.getByRole('dialog').getByRole('link', { name: 'Scorebook demo' }).waitFor()
    },
  },
  {
    name: 'search',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Players')
      await page.keyboard.press('Control+k')
      await dialog(page)
      await page.keyboard.type('e')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
]

const OVERVIEW: readonly State[] = [
  {
    name: 'overview',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Overview')
      await page.getByRole('slider', { name: /Submissions an hour/ }).waitFor()
    },
  },
  {
    name: 'overview-tables',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Overview')
      await press(page, 'Show as tables')
      await page.getByRole('columnheader', { name: 'Active players' }).first().waitFor()
    },
  },
]

const BOARDS: readonly State[] = [
  {
    name: 'leaderboards',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Leaderboards')
      await page.getByRole('link', { name: 'High score' }).waitFor()
    },
  },
  asking('leaderboards-create', at('Leaderboards'), 'Create leaderboard'),
  { name: 'leaderboard', signed: 'game', show: board },
  {
    name: 'leaderboard-past',
    signed: 'game',
    async show(page) {
      await board(page)
      await page.getByRole('slider').fill('600')
      await page.locator('section.past-table[aria-busy="false"]').waitFor()
    },
  },
  { name: 'leaderboard-season', signed: 'game', show: season },
  {
    name: 'leaderboard-no-match',
    signed: 'game',
    async show(page) {
      await board(page)
      await page.getByLabel('Search').fill('nobody is called so')
      await heading(page, 'No score matches the filters')
    },
  },
  {
    name: 'leaderboard-rules',
    signed: 'game',
    async show(page) {
      await board(page)
      await press(page, 'Edit rules')
      await page.getByLabel('Best score').selectOption('asc')
      await press(page, 'Preview rules')
      await page.getByRole('region', { name: 'Who moves' }).waitFor()
    },
  },
  {
    name: 'leaderboard-why',
    signed: 'game',
    async show(page) {
      await board(page)
      await chooseInRow(firstRow(page), 'Why')
      await page.getByRole('complementary').getByText('Submitted').first().waitFor()
    },
  },
  {
    name: 'leaderboard-rank',
    signed: 'game',
    async show(page) {
      await board(page)
      await chooseInRow(firstRow(page), 'Rank over time')
      await page.getByRole('complementary').locator('canvas').waitFor()
    },
  },
  {
    name: 'leaderboard-delete-score',
    signed: 'game',
    async show(page) {
      await board(page)
      await chooseInRow(firstRow(page), 'Delete score')
      await dialog(page)
    },
  },
  {
    name: 'leaderboard-row-menu',
    signed: 'game',
    async show(page) {
      await board(page)
      await firstRow(page).getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Ban player' }).waitFor()
    },
  },
  {
    name: 'leaderboard-compare',
    signed: 'game',
    async show(page) {
      await board(page)
      await press(page, 'Compare')
      await page.getByRole('slider', { name: 'Moment' }).fill('500')
      await page.getByRole('region', { name: 'Table: Scores at two moments' }).locator('tbody tr').first().waitFor()
    },
  },
  { name: 'leaderboard-total', signed: 'game', show: totals },
  {
    name: 'leaderboard-total-window',
    signed: 'game',
    async show(page, world) {
      await totals(page, world)
      await page.getByLabel('Window').selectOption('week')
      await page.getByLabel('Total inside the window').waitFor()
      await page.locator('section[aria-label="Scores"][aria-busy="false"]').waitFor()
    },
  },
  {
    name: 'leaderboard-total-why',
    signed: 'game',
    async show(page, world) {
      await totals(page, world)
      await chooseInRow(firstRow(page), 'Why')
      await page.getByRole('complementary').getByText('1 to 20 of 41').waitFor()
    },
  },
  {
    name: 'leaderboard-total-rules',
    signed: 'game',
    async show(page, world) {
      await totals(page, world)
      await press(page, 'Edit rules')
      await page.getByLabel('The entry shows').selectOption('latest')
      await page.getByText('Rules so far').click()
      await press(page, 'Preview rules')
      await page.getByRole('region', { name: 'Who moves' }).waitFor()
    },
  },
  {
    name: 'leaderboard-rules-impossible',
    signed: 'game',
    async show(page, world) {
      await totals(page, world)
      await press(page, 'Edit rules')
      await page.getByLabel('One entry per player').uncheck()
      await page.getByText('there is no total to show').waitFor()
    },
  },
  {
    name: 'leaderboard-key-taken',
    signed: 'game',
    async show(page, world) {
      await totals(page, world)
      await press(page, 'More actions')
      await page.getByRole('menuitem', { name: 'Change key', exact: true }).click()
      await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill('high-score')
      await page.getByRole('dialog').getByRole('button', { name: 'Change key' }).click()
      await page.getByRole('dialog').getByText('Another leaderboard of this game has this key').waitFor()
    },
  },
]

const PLAYERS: readonly State[] = [
  {
    name: 'players',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Players')
      await page.locator('tbody tr').first().waitFor()
    },
  },
  {
    name: 'players-no-match',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Players')
      await page.getByLabel('Search').fill('nobody is called so')
      await heading(page, 'No player has this text in their name')
    },
  },
  { name: 'player', signed: 'game', show: player },
  asking('player-ban', player, 'Ban player'),
  asking('player-delete', player, 'Delete player'),
]

const OTHERS: readonly State[] = [
  {
    name: 'files',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Files')
      await page.getByLabel('List files: Nobody').waitFor()
      await press(page, 'Explain')
      await page.getByRole('columnheader', { name: 'Because' }).waitFor()
    },
  },
  {
    name: 'rooms-none',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Rooms')
      await page.locator('tbody tr, .state').first().waitFor()
    },
  },
  {
    name: 'rooms',
    signed: 'game',
    async show(page, world) {
      const member = await sendInRoom(world)
      await goTo(page, 'Rooms')
      await page
        .getByRole('row', { name: /Console test/ })
        .first()
        .getByRole('button', { name: 'Watch room' })
        .click()
      await page.getByText('Listening.').waitFor()
      await member.say({ text: 'Good game.' })
      await page.getByText('Good game.').waitFor()
      page.once('close', () => member.close())
    },
  },
  {
    name: 'keys',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Keys')
      await page.locator('tbody tr').first().waitFor()
    },
  },
  asking('keys-issue', at('Keys'), 'Issue key'),
  asking('files-create-bucket', at('Files'), 'Create bucket'),
  {
    name: 'keys-issued',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Keys')
      await press(page, 'Issue key')
      await page.getByRole('dialog').getByLabel('Name').fill('screenshot')
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
      await page.getByText('The secret is shown only this time').waitFor()
    },
  },
  {
    name: 'history',
    signed: 'game',
    async show(page) {
      await goTo(page, 'History')
      await page.getByText('Following.').waitFor()
      await page.getByRole('region', { name: 'What people did' }).locator('tbody tr button').first().waitFor()
    },
  },
  {
    name: 'history-all',
    signed: 'game',
    async show(page) {
      await goTo(page, 'History')
      await page.getByRole('tab', { name: 'All events' }).click()
      await page.getByRole('region', { name: 'Events' }).locator('tbody tr button').first().waitFor()
    },
  },
  {
    name: 'history-event',
    signed: 'game',
    async show(page) {
      await goTo(page, 'History')
      await page.getByRole('region', { name: 'What people did' }).locator('tbody tr button').first().click()
      await dialog(page)
    },
  },
  {
    name: 'history-none',
    signed: 'game',
    async show(page) {
      await goTo(page, 'History')
      await page.getByRole('tab', { name: 'All events' }).click()
      await page.getByLabel('Request').fill('none')
      await press(page, 'Show events')
      await heading(page, 'No events')
    },
  },
  {
    name: 'unknown-page',
    signed: 'game',
    async show(page, { url }) {
      await page.goto(`${url}/console/nothing`)
      await heading(page, 'No such page')
    },
  },
]

export const STATES: readonly State[] = [
  ...SIGNING_IN,
  ...OPERATOR,
  ...IN_GAME,
  ...OVERVIEW,
  ...BOARDS,
  ...PLAYERS,
  ...OTHERS,
  ...failures,
]

/** Opens a page in a state. */
export async function openState(world: ConsoleWorld, state: State, view: Parameters<ConsoleWorld['open']>[0] = {}) {
  const page = await world.open({ ...view, failsOnPurpose: true })
  if (state.signed === 'game') await signIn(page, world.gameKey)
  if (state.signed === 'operator') {
    await page.getByLabel('Keep for this tab').check()
    await page.locator('input[type=file]').setInputFiles(world.operatorFile)
    await page.getByRole('heading', { level: 1, name: 'Games' }).waitFor()
  }
  await state.show(page, world)
  return page
}
