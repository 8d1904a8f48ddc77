// The eight jobs in the console that a folder of demo data is served with: by mouse, and by keyboard alone.

import type { Leaderboard, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import { type ConsoleWorld, openConsole } from './console-world.ts'
import { type Device, keyboardDevice, mouseDevice } from './devices.ts'
import { type Figure, failedFigure, figureLine } from './figure.ts'
import { JOBS, type Job } from './jobs.ts'

/** Of the demo's scores: it must have a last Tuesday. */
const DAYS = 30

/** `report`: called with each figure, and with why a job failed. */
export async function proveJobs(report: (line: string) => void): Promise<Figure[]> {
  const world = await openConsole({ days: DAYS })
  try {
    const { leaderboards } = await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)
    const board = leaderboards.find(({ name }) => name === 'High score')?.id ?? ''
    await cheat(world, board)
    const figures: Figure[] = []
    for (const job of JOBS) {
      for (const deviceOf of [mouseDevice, keyboardDevice]) {
        const page = await started(world, job)
        const device = deviceOf(page)
        const failure = await job.run({ page, device, world, board }).then(
          () => null,
          (error: Error) => error,
        )
        if (failure !== null) report(`${job.name}, by ${device.by}: ${failure.message}`)
        const figure = failure === null ? figureOf(job, device) : failedFigure(`${job.name}, by ${device.by}`)
        report(figureLine(figure))
        figures.push(figure)
        await page.context().close()
      }
    }
    for (const fault of world.faults) report(fault)
    return [...figures, { name: 'errors in the browser', value: world.faults.length, unit: '', max: 0 }]
  } finally {
    await world.close()
  }
}

/** Gives the last of the leaderboard by far the highest score. */
async function cheat({ get, send }: ConsoleWorld, board: string): Promise<void> {
  const { scores, count } = await get<ScoresPage>(`/api/lb/${board}/score/?limit=1`)
  const last = await get<ScoresPage>(`/api/lb/${board}/score/?limit=1&offset=${count - 1}`)
  const score = `${scores[0]?.score}0`
  await send('POST', `/api/lb/${board}/score/`, { player: last.scores[0]?.player, score })
}

/** A page that shows where the job begins. */
async function started(world: ConsoleWorld, { of }: Job) {
  if (of === 'game') {
    const page = await world.signedIn(world.gameKey)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return page
  }
  const page = await world.open()
  await page.locator('input[type=file]').setInputFiles(world.operatorFile)
  await page.getByRole('heading', { level: 1, name: 'Games' }).waitFor()
  return page
}

function figureOf({ name, clicks, keys }: Job, { by, count }: Device): Figure {
  const [unit, max] = by === 'mouse' ? ['clicks', clicks] : ['keys', keys]
  return { name: `${name}, by ${by}`, value: count(), unit, max }
}
