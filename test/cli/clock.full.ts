// A data folder with events of a clock that was ahead: what `serve` and `doctor` say about it, and
// `serve --accept-clock`.

import { expect } from 'chai'
import { pino } from 'pino'
import { readConfig } from '../../server/config.ts'
import { start } from '../../server/start.ts'
import { serveOnce } from './serve-once.ts'
import { command, type Env, newFolder, openService } from './service.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

/** A data folder whose events were recorded by a clock that was ahead. */
async function recordedAhead(ms: number): Promise<Env> {
  const dataDir = await newFolder()
  const env = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', RATE_LIMITS: 'off' }
  const running = await start(readConfig(env), pino({ level: 'silent' }), () => Date.now() + ms)
  await running.stop()
  return env
}

async function clockOf(env: Env) {
  const result = await command(env, 'doctor', '--json')
  const { findings } = result.json<{ findings: { name: string; state: string; detail: string }[] }>()
  return findings.find(({ name }) => name === 'clock')
}

const BOTH_TIMES = /the clock is at 20\d\d-\S+Z, \d+ \w+ behind the newest event, of 20\d\d-\S+Z/

describe('a data folder with events of a clock that was ahead', () => {
  it('is served with a warning in the log and in doctor if the clock is more than a minute behind', async () => {
    const env = await recordedAhead(10 * MINUTE_MS)
    const found = await clockOf(env)
    expect([found?.state, BOTH_TIMES.test(found?.detail ?? '')]).to.deep.equal(['warn', true])
    const served = await serveOnce(env)
    expect(served.ready).to.equal(true)
    expect(served.output).to.match(BOTH_TIMES)
  })

  it('is not served if the clock is more than a day behind, unless the operator accepts the clock', async () => {
    const env = await recordedAhead(DAY_MS + 10 * MINUTE_MS)
    const found = await clockOf(env)
    expect([found?.state, BOTH_TIMES.test(found?.detail ?? '')]).to.deep.equal(['fail', true])
    const refused = await serveOnce(env)
    expect([refused.ready, refused.code]).to.deep.equal([false, 1])
    expect(refused.output).to.match(BOTH_TIMES).and.include('--accept-clock')
    const accepted = await serveOnce(env, '--accept-clock')
    expect([accepted.ready, accepted.code]).to.deep.equal([true, 0])
    expect(accepted.output).to.match(BOTH_TIMES).and.include('accepted by --accept-clock')
  })

  it('is reported by doctor while a server has it open', async () => {
    const env = await recordedAhead(10 * MINUTE_MS)
    const service = await openService(env)
    const found = await clockOf({ ...service.env, DATA_DIR: env.DATA_DIR ?? '' })
    await service.stop()
    expect([found?.state, found?.detail]).to.deep.equal([
      'warn',
      'the clock of the server is behind its newest event: /health/ready on its ADMIN_PORT has both times',
    ])
  })
})
