// Eight jobs of the people who run a game. Each begins on the start page, and ends when the page shows that it is done.

import type { Page } from 'playwright-core'
import type { ScoresPage } from '../../clients/javascript/score-shapes.ts'
import type { ConsoleWorld } from './console-world.ts'
import type { Device } from './devices.ts'
import { sendInRoom } from './room-member.ts'

export interface JobPlace {
  readonly page: Page
  readonly device: Device
  readonly world: ConsoleWorld
  /** Id of the leaderboard High score. */
  readonly board: string
}

export interface Job {
  readonly name: string
  /** Whose job it is: of a key of the game, or of the operator. */
  readonly of: 'game' | 'operator'
  /** The most that it may take. */
  readonly clicks: number
  readonly keys: number
  run(place: JobPlace): Promise<void>
}

const BOARD = 'High score'
const NEW_RULES = 'Lowest first, one entry per player'
const OLD_RULES = 'Highest first, one entry per player'

const rowsOf = (page: Page) =>
  page.locator('section[aria-label="Scores"][aria-busy="false"] tbody tr:not(.space):not(.waiting)')

/** 14:00 of the last Tuesday before today, as a field has it. */
function lastTuesday(now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 14)
  // Never today.
  do day.setDate(day.getDate() - 1)
  while (day.getDay() !== 2)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T14:00:00`
}

export const JOBS: readonly Job[] = [
  {
    name: 'ban who cheats',
    of: 'game',
    clicks: 3,
    keys: 60,
    async run({ page, device, world, board }) {
      const { scores } = await world.get<ScoresPage>(`/api/lb/${board}/score/?limit=2`)
      const [first, second] = scores
      await device.press(first?.player_name ?? '', page.getByRole('list', { name: 'Scores that stand out' }))
      await device.press('Ban player')
      await device.press('Ban player', page.getByRole('dialog'))
      await page.getByText('The player was banned').waitFor()
      const left = await world.get<ScoresPage>(`/api/lb/${board}/score/?limit=1`)
      if (left.scores[0]?.player !== second?.player) throw new Error('The player is on the leaderboard still')
      await world.send('POST', `/api/gm/${world.game}/players/${first?.player}/unban/`, {})
    },
  },
  {
    name: 'see why an entry has its score',
    of: 'game',
    clicks: 1,
    keys: 50,
    async run({ page, device }) {
      await device.press(BOARD, page.getByRole('list', { name: 'Scores that stand out' }))
      await page
        .getByRole('region', { name: 'Why' })
        .getByText(/^Submitted /)
        .first()
        .waitFor()
    },
  },
  {
    name: 'change rules with a preview, and back',
    of: 'game',
    clicks: 9,
    keys: 80,
    async run({ page, device }) {
      const facts = page.locator('.board-facts')
      await device.find(BOARD, 'board')
      await device.press('Edit rules')
      await device.choose('Best score', 'Lowest')
      await device.press('Preview rules')
      await page.getByRole('region', { name: 'Who moves' }).waitFor()
      await device.press('Apply rules')
      await facts.getByText(NEW_RULES).waitFor()
      await device.press(/^Go back to /)
      await page.getByRole('region', { name: 'Who moves' }).waitFor()
      await device.press('Apply rules')
      await facts.getByText(OLD_RULES).waitFor()
    },
  },
  {
    name: 'see the leaderboard of last Tuesday, 14:00',
    of: 'game',
    clicks: 3,
    keys: 45,
    async run({ page, device, world, board }) {
      const local = lastTuesday()
      await device.find(BOARD, 'board')
      await rowsOf(page).first().waitFor()
      await device.fillTime('Go to', local)
      await page.locator('section.past-table[aria-busy="false"]').waitFor()
      const instant = await page.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext')
      const wanted = new Date(local).toISOString()
      if (instant !== wanted) throw new Error(`It shows ${instant}, not ${wanted}`)
      const { scores } = await world.get<ScoresPage>(`/api/lb/${board}/score/?limit=1&as_of=${wanted}`)
      await rowsOf(page)
        .first()
        .getByText(scores[0]?.player_name ?? '')
        .waitFor()
    },
  },
  {
    name: 'issue a key for a client, and save it',
    of: 'game',
    clicks: 6,
    keys: 35,
    async run({ page, device }) {
      await device.find('Keys', 'page')
      await device.press('Issue key')
      const dialog = page.getByRole('dialog')
      await device.fillAndConfirm('Name', `by ${device.by}`, 'Issue key')
      const saving = page.waitForEvent('download')
      await device.press('Save key file', dialog)
      await saving
      await device.press('I have stored it', dialog)
      await page.getByRole('row', { name: new RegExp(`by ${device.by}`) }).waitFor()
    },
  },
  {
    name: 'upload a file, and set the rules of its folder',
    of: 'game',
    clicks: 4,
    keys: 50,
    async run({ page, device }) {
      await device.find('Files', 'page')
      const choosing = page.waitForEvent('filechooser')
      await device.press('Upload')
      const file = { name: `by-${device.by}.txt`, mimeType: 'text/plain', buffer: Buffer.from('uploaded') }
      await (await choosing).setFiles(file)
      await page.getByText(`${file.name} was uploaded.`).waitFor()
      await device.chooseNext(page.getByRole('row', { name: /^Overwrite files/ }))
      await device.press('Set rules')
      await page.getByText('The rules were set.').waitFor()
    },
  },
  {
    name: 'watch a room',
    of: 'game',
    clicks: 2,
    keys: 20,
    async run({ page, device, world }) {
      const member = await sendInRoom(world)
      try {
        await device.find('Rooms', 'page')
        await device.press('Watch room', page.getByRole('row', { name: /Console test/ }).first())
        await page.getByText('Listening.').waitFor()
        await member.say({ text: `to the ${device.by}` })
        await page.getByText(`"to the ${device.by}"`).waitFor()
      } finally {
        member.close()
      }
    },
  },
  {
    name: 'verify the views against the log',
    of: 'operator',
    clicks: 2,
    keys: 15,
    async run({ page, device }) {
      await device.find('System', 'page')
      await device.press('Verify')
      await page.getByText(/^Equal: all /).waitFor()
    },
  },
]
