// A process whose log cannot be written serves, counts the dropped lines, and ends in order.

import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { freePort } from '../free-port.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'

/** Far less than the time after which a stop is cut off. */
const LEAVES_WITHIN_MS = 9_500
const SUBMISSIONS = 30
const CALLS = 1_000
const CALLERS = 20

describe('a process whose log output fails', () => {
  let world: ProcessWorld | null = null
  const ends: (() => void | Promise<void>)[] = []
  afterEach(async () => {
    await world?.close()
    world = null
    for (const end of ends.splice(0)) await end()
  })

  async function open(stdout: 'pipe' | number, env: Record<string, string> = {}) {
    const adminPort = await freePort()
    world = await openProcessWorld({ LOG_LEVEL: 'info', ADMIN_PORT: `${adminPort}`, ...env }, null, stdout)
    return { world, adminPort }
  }

  /** Dropped lines, by the metrics of the process. */
  async function dropped(adminPort: number): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    return Number(/^scorebook_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
  }

  /** Submits one after another; every answer is 201, and all are on the leaderboard. */
  async function submits(to: ProcessWorld): Promise<void> {
    const game = await makeGame(to)
    const [board, player] = [await makeBoard(to, game, { unique: false }), await makePlayer(to, game, 'A')]
    for (let n = 0; n < SUBMISSIONS; n++) {
      const sent = { token: game.token, body: { score: `${n}`, player } }
      expect((await to.call('POST', `/api/lb/${board}/score/`, sent)).status).to.equal(201)
    }
    const { body } = await to.call('GET', `/api/lb/${board}/score/`, { token: game.token })
    expect(body.count).to.equal(SUBMISSIONS)
  }

  async function leaves(from: ProcessWorld): Promise<void> {
    const began = performance.now()
    expect(await from.end('SIGTERM')).to.deep.equal({ code: 0, signal: null })
    expect(performance.now() - began).to.be.lessThan(LEAVES_WITHIN_MS)
  }

  /** Resolves once lines were dropped, at the latest after a batch of them was written. */
  async function untilDropped(adminPort: number): Promise<number> {
    for (;;) {
      const count = await dropped(adminPort)
      if (count > 0) return count
    }
  }

  it('serves, counts the dropped lines and ends in order when its output is /dev/full', async function () {
    this.timeout(120_000)
    const full = openSync('/dev/full', 'w')
    ends.push(() => closeSync(full))
    const { world, adminPort } = await open(full)
    await submits(world)
    expect(await untilDropped(adminPort)).to.be.greaterThan(0)
    await leaves(world)
  })

  it('serves, counts the dropped lines and ends in order when its output is a broken pipe', async function () {
    this.timeout(120_000)
    const { world, adminPort } = await open('pipe')
    world.stdout?.destroy()
    await submits(world)
    expect(await untilDropped(adminPort)).to.be.greaterThan(0)
    await leaves(world)
  })

  it('serves and ends in order when its output is a pipe that nobody reads', async function () {
    this.timeout(120_000)
    const { world } = await open('pipe')
    world.stdout?.removeAllListeners('data')
    world.stdout?.pause()
    // Their lines exceed the pipe and the buffers at both of its ends.
    const calls = async () => {
      for (let n = 0; n < CALLS / CALLERS; n++) await world.call('GET', '/api/nowhere/')
    }
    await Promise.all(Array.from({ length: CALLERS }, calls))
    await submits(world)
    await leaves(world)
  })

  it('serves, and writes again and reports its losses when the full disk of its output has room', async function () {
    this.timeout(120_000)
    const folder = await mkdtemp(join(tmpdir(), 'scorebook-log-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    // Only root may mount; elsewhere /dev/full replaces the full disk.
    if (process.getuid?.() !== 0) return
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,mode=700', 'tmpfs', folder])
    ends.unshift(() => void execFileSync('umount', ['-l', folder]))
    const log = join(folder, 'log')
    const file = openSync(log, 'a')
    ends.unshift(() => closeSync(file))
    const { world, adminPort } = await open(file)
    await submits(world)
    while ((await dropped(adminPort)) === 0) await world.call('GET', '/api/nowhere/')
    execFileSync('mount', ['-o', 'remount,size=16m', folder])
    const lost = () => /"dropped":(\d+),"msg":"log lines were dropped/.exec(readFileSync(log, 'utf8'))
    while (lost() === null) await world.call('GET', '/api/nowhere/')
    expect(Number(lost()?.[1])).to.be.greaterThan(0)
    await leaves(world)
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '').msg).to.equal('stopped')
  })
})
