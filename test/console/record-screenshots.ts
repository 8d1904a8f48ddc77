// `npm run record:screenshots -- <folder> [part of a name]`: pictures of every page and state of the console at three
// widths in both colour schemes, on demo data.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openConsole } from './console-world.ts'
import { openState, STATES } from './states.ts'

const WIDTHS = [
  [360, 740],
  [768, 1_024],
  [1_440, 900],
] as const
const SCHEMES = ['light', 'dark'] as const

const [folder = 'reports/screenshots', part = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const world = await openConsole()
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
await world.close()
