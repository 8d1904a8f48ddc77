// `npm run record:screenshots -- <folder> [part of a name]`: pictures of every page and state of the console at three
// widths in both colour schemes, on demo data. `-- docs/images docs`: the pictures of the documentation.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import type { Leaderboard, ScoresPage, Season } from '../../clients/javascript/score-shapes.ts'
import { type ConsoleWorld, chooseInRow, openConsole } from './console-world.ts'
import { openState, STATES } from './states.ts'

const WIDTHS = [
  [360, 740],
  [768, 1_024],
  [1_440, 900],
] as const
const SCHEMES = ['light', 'dark'] as const
/** Of the demo of the pictures for the documentation. */
const DAYS = 30
const DAYS_AGO = 12

const [folder = 'reports/screenshots', part = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const world = await openConsole({ days: part === 'docs' ? DAYS : 0 })
if (part === 'docs') await recordDocs(world)
else await recordStates()
await world.close()

async function recordStates(): Promise<void> {
  for (const state of STATES.filter(({ name }) => name.includes(part))) {
    const page = await openState(world, state)
    for (const [width, height] of WIDTHS) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(folder, `${state.name}-${width}-${colorScheme}.png`) })
      }
    }
    process.stdout.write(`${state.name}\n`)
    await page.context().close()
  }
}

/** A past instant, a preview of rules, a rank over time, and a season. */
async function recordDocs(own: ConsoleWorld): Promise<void> {
  const { url, game, gameKey, get, signedIn } = own
  const page = await signedIn(gameKey, { width: 1_280, height: 800 })
  const { leaderboards } = await get<{ leaderboards: Leaderboard[] }>(`/api/gm/${game}/lb/`)
  const board = leaderboards.find(({ name }) => name === 'High score') as Leaderboard
  const address = `${url}/console/leaderboards/${board.id}`
  const shot = (name: string) => page.screenshot({ path: join(folder, `console-${name}.png`) })
  await page.goto(`${address}?at=${new Date(Date.now() - DAYS_AGO * 86_400_000).toISOString()}`)
  await page.getByRole('slider').waitFor()
  await page.locator('section.past-table[aria-busy="false"]').waitFor()
  await shot('past')
  await page.goto(`${address}?rules=edit`)
  const { scores } = await get<ScoresPage>(`/api/lb/${board.id}/score/?limit=20`)
  await page.getByLabel('Greatest score accepted').fill(scores.at(-1)?.score ?? '')
  await page.getByRole('button', { name: 'Preview rules' }).click()
  await page.getByRole('region', { name: 'Who moves' }).waitFor()
  await page.mouse.move(0, 0)
  await toTop(page.getByRole('heading', { name: 'What changes' }))
  await shot('rules')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(address)
  await page.getByRole('slider').waitFor()
  // Of the first ten, who has played longest.
  const [first] = scores.slice(0, 10).toSorted((a, b) => a.added.localeCompare(b.added))
  const rows = page.locator('section[aria-label="Scores"] tbody tr:not(.space)')
  await chooseInRow(rows.nth((first?.rank ?? 1) - 1), 'Rank over time')
  const panel = page.getByRole('complementary')
  await panel.locator('canvas').waitFor()
  await toTop(panel)
  await shot('rank')
  await page.context().close()
  await recordSeason(own, leaderboards.find(({ key }) => key === 'weekly') as Leaderboard)
}

/** The last season that has ended, with its final ranks. */
async function recordSeason({ url, gameKey, get, signedIn }: ConsoleWorld, { id }: Leaderboard): Promise<void> {
  const { seasons } = await get<{ seasons: Season[] }>(`/api/lb/${id}/seasons/`)
  const last = seasons.find(({ state }) => state === 'closed')
  const page = await signedIn(gameKey, { width: 1_440, height: 900 })
  await page.goto(`${url}/console/leaderboards/${id}?season=${last?.season}`)
  await page.locator('section[aria-label="Scores"][aria-busy="false"] td.final').first().waitFor()
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `console-seasons-${colorScheme}.png`) })
  }
}

function toTop(element: Locator): Promise<void> {
  return element.evaluate((own) => (own as unknown as { scrollIntoView(): void }).scrollIntoView())
}
