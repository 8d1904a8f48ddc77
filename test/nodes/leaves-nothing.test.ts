// A stopped node leaves nothing in the memory of its process.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { pause } from '../until.ts'

const TIMES = 20

/** Its logger, which all its parts refer to. */
async function startedAndStopped(dataDir: string): Promise<WeakRef<Logger>> {
  const log = pino({ level: 'silent' })
  const running = await start({ ...BASE_CONFIG, roles: new Set(['api', 'projector', 'rooms']), dataDir }, log)
  await running.stop()
  return new WeakRef(log)
}

describe('a node that has stopped', () => {
  it('can be garbage-collected', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-stopped-'))
    const left = await startedAndStopped(dataDir)
    // Its last timers and sockets are released in later turns of the event loop.
    for (let n = 0; n < TIMES && left.deref() !== undefined; n++) {
      await pause(50)
      collect()
    }
    expect(left.deref()).to.equal(undefined)
    await rm(dataDir, { recursive: true })
  })
})
