// Pages of `views.sqlite` are damaged while the server is stopped, and while it runs: it builds the views again by
// itself, or says what to do.

import { closeSync, cpSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startServer } from '../crash/server-process.ts'
import { Random } from '../random.ts'
import { SEED } from '../seeds.ts'
import { damagePage, pagesOf } from '../stores/damage-pages.ts'
import { serveOnce } from './serve-once.ts'
import { command, newFolder, openService } from './service.ts'

const ROUNDS = 6
const PAGE_BYTES = 4_096
const NAMED =
  /views\.sqlite is damaged \([^)]+\)\. It was moved to views\.sqlite\.damaged-\w+: a start builds the views again from the log\./

/** A stopped server's folder with a demo game, and its board. */
async function filledFolder(): Promise<string> {
  const service = await openService()
  const { code, err } = await service.run('demo', '--players', '60', '--scores', '600')
  expect(code, err).to.equal(0)
  await service.stop()
  return service.dataDir
}

describe('a server on damaged views', function () {
  this.timeout(240_000)
  let folder: string

  before(async () => {
    folder = await filledFolder()
  })

  const copied = async () => {
    const copy = await newFolder()
    cpSync(folder, copy, { recursive: true })
    return copy
  }

  const verify = (dataDir: string) => command({ DATA_DIR: dataDir }, 'verify')

  it(`has views that match the log after at most two starts: ${ROUNDS} damaged files`, async () => {
    const pages = pagesOf(join(folder, 'views.sqlite'))
    const random = new Random(SEED)
    const { collections = 0, ...others } = Object.fromEntries(pages.roots)
    const certain = [1, collections]
    const randomPage = () => (random.chance(0.6) ? random.pick(Object.values(others)) : 1 + random.below(pages.count))
    let rebuilt = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const dataDir = await copied()
      const page = certain[round] ?? randomPage()
      const damage = `seed ${SEED}, round ${round}: ${damagePage(join(dataDir, 'views.sqlite'), page, random)}`
      const first = await serveOnce({ DATA_DIR: dataDir })
      expect(first.ready, `${damage}: ${first.output}`).to.equal(true)
      const compared = await verify(dataDir)
      if (compared.code !== 0) {
        expect(first.output + compared.err, damage).to.match(NAMED)
        expect((await serveOnce({ DATA_DIR: dataDir })).ready, damage).to.equal(true)
        expect(await verify(dataDir), damage).to.include({ code: 0 })
      }
      if (NAMED.test(first.output) || NAMED.test(compared.err)) rebuilt += 1
    }
    expect(rebuilt).to.be.greaterThan(ROUNDS / 4)
  })

  it('answers no request with 500, names the file and exits with 1 if pages are damaged while it runs, and the next start builds them', async () => {
    const dataDir = await copied()
    const server = await startServer(dataDir)
    const file = openSync(join(dataDir, 'views.sqlite'), 'r+')
    for (let at = PAGE_BYTES; at < statSync(join(dataDir, 'views.sqlite')).size; at += PAGE_BYTES) {
      writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, at)
    }
    closeSync(file)
    // A reaction may have found the damage before.
    const { prefix } = JSON.parse(readFileSync(join(dataDir, 'operator.json'), 'utf8'))
    const challenge = { method: 'POST', headers: { 'x-api-key': prefix } }
    const answered = await fetch(`http://127.0.0.1:${server.port}/api/auth/jwt/challenge/`, challenge).then(
      ({ status }) => status,
      () => 'refused',
    )
    expect(answered).to.be.oneOf([503, 'refused'])
    expect(await server.exited).to.deep.equal({ code: 1, signal: null })
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const errors = logged.map((line) => JSON.parse(line)).filter(({ level, msg }) => level === 50 && NAMED.test(msg))
    expect(errors).to.have.length(1)
    expect((await serveOnce({ DATA_DIR: dataDir })).ready).to.equal(true)
    expect(await verify(dataDir)).to.include({ code: 0 })
  })

  it('names the file in a command that works without a server, and the next start builds the views', async () => {
    const dataDir = await copied()
    damagePage(join(dataDir, 'views.sqlite'), 1, new Random(SEED), 'zeros')
    const { code, err } = await verify(dataDir)
    expect([code, NAMED.test(err)], err).to.deep.equal([1, true])
    expect((await serveOnce({ DATA_DIR: dataDir })).ready).to.equal(true)
    expect(await verify(dataDir)).to.include({ code: 0 })
  })
})
