// Events per fsync of the log with 64 submissions in flight, from the server's own counters.

import { median, type Size } from './support/measure.ts'
import { type Server, startLoader } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'

const GOAL = 0.4
const REQUESTS = 2_000

export async function benchFsync(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const ours = await submitting(loader, {})
  const perCommit: number[] = []
  try {
    await ours.cost(REQUESTS)
    for (let round = 0; round < size.rounds; round++) {
      const before = await counted(ours.server)
      await ours.cost(REQUESTS)
      const after = await counted(ours.server)
      perCommit.push((after.events - before.events) / (after.commits - before.commits))
    }
  } finally {
    await Promise.all([ours.stop(), loader.stop()])
  }
  const ratio = median(perCommit) / IN_FLIGHT
  return [
    {
      what: `events per fsync, ${IN_FLIGHT} in flight`,
      limit: String(IN_FLIGHT),
      ours: median(perCommit).toFixed(1),
      ratio: ratio.toFixed(3),
      goal: `≥ ${GOAL}`,
      met: ratio >= GOAL,
    },
  ]
}

async function counted({ adminPort }: Server): Promise<{ commits: number; events: number }> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { commits: value('scorebook_log_commits_total'), events: value('scorebook_log_events_total') }
}
