// Planted markers: after every endpoint has been called, well and badly, with the log at its most talkative, no secret
// and no name is in a log line or an event, no secret in the read models, and none in the vault but sealed. Of a player
// who was deleted nothing is anywhere.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  ADDRESS,
  BODY,
  callEverything,
  EXTERNAL,
  FORGOTTEN,
  HEADER,
  LOGIN,
  noting,
  PASSWORD,
  PERSON,
  QUERY,
  type Secrets,
} from './marked-calls.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

/** Everything in the files of the data folder whose name begins so, as one text. */
function bytesOf(dataDir: string, beginning: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith(beginning))
  if (files.length === 0) throw new Error(`there is no ${beginning}`)
  return files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('\n')
}

/** Which of them are in the text, as they are, in base64 of either kind, or in hexadecimal. */
function found(text: string, wanted: ReadonlyMap<string, string>): string[] {
  return [...wanted].flatMap(([what, value]) => {
    const bytes = Buffer.from(value)
    const spellings = [value, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
    return spellings.some((spelling) => text.includes(spelling)) ? [what] : []
  })
}

describe('planted markers', () => {
  let world: ProcessWorld
  const secrets: Secrets = new Map()
  const names = new Map([
    ['a name', PERSON],
    ['a forgotten name', `${FORGOTTEN}-made`],
    ['a forgotten guest’s name', `${FORGOTTEN}-guest`],
    ['a forgotten name beside a score', `${FORGOTTEN}-beside`],
    ['a forgotten new name', `${FORGOTTEN}-renamed`],
    ['a forgotten external id', `${FORGOTTEN}-id`],
    ['an external id', EXTERNAL],
  ])
  const sent = new Map([
    ['a header', HEADER],
    ['a query', QUERY],
    ['a refused body', BODY],
    ['a refused token', 'qzxsignature'],
  ])
  let atRest: { views: string }
  /** Compared without regard to case, a login is in capitals inside. */
  const signIns = new Map([
    ['a login', LOGIN],
    ['a login in capitals', LOGIN.toUpperCase()],
    ['a password', PASSWORD],
    ['an address', ADDRESS],
  ])
  /** What a server in development tells of a mail, as the contract has it, is looked at by itself. */
  const lines = () =>
    world
      .output()
      .split('\n')
      .filter((line) => !line.includes('a mail was written'))
      .join('\n')
  let running: { log: string; views: string; vault: string }

  before(async function () {
    this.timeout(60_000)
    world = await openProcessWorld({ LOG_LEVEL: 'trace' })
    const { dataDir } = world
    secrets.set('the operator’s secret', JSON.parse(readFileSync(join(dataDir, 'operator.json'), 'utf8')).secret)
    secrets.set('the master key', JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).masterKey)
    await callEverything(noting(world, secrets))
    const snapshot = () => ({
      log: bytesOf(dataDir, 'log.sqlite'),
      views: bytesOf(dataDir, 'views.sqlite'),
      vault: bytesOf(dataDir, 'vault.sqlite'),
    })
    const before = snapshot()
    await world.leave()
    const after = snapshot()
    atRest = after
    running = { log: before.log + after.log, views: before.views + after.views, vault: before.vault + after.vault }
  })
  after(() => world.close())

  it('were planted', () => {
    expect(secrets.size).to.be.greaterThan(20)
    for (const [what, value] of secrets) expect(value.length, what).to.be.greaterThan(30)
    expect(
      world
        .output()
        .split('\n')
        .filter((line) => line.includes('"request_id"')).length,
    ).to.be.greaterThan(200)
    expect(running.views).to.include(PERSON)
    expect(running.log).to.include('PlayerCreated')
    expect(running.vault).to.include('key-secret')
  })

  it('are in no log line', () => {
    expect(found(world.output(), secrets)).to.deep.equal([])
    expect(found(world.output(), names)).to.deep.equal([])
    expect(found(world.output(), sent)).to.deep.equal([])
    expect(found(lines(), signIns)).to.deep.equal([])
    const told = world
      .output()
      .split('\n')
      .filter((line) => line.includes(ADDRESS))
    expect(told).to.have.length(2)
    for (const line of told) {
      expect(Object.keys(JSON.parse(line))).to.include.members(['address', 'code', 'file', 'msg'])
      const { code } = JSON.parse(line)
      expect(lines().includes(`"${code}"`)).to.equal(false)
    }
    expect(found(world.output(), new Map([...signIns].filter(([what]) => what !== 'an address')))).to.deep.equal([])
  })

  it('are in no event', () => {
    expect(found(running.log, secrets)).to.deep.equal([])
    expect(found(running.log, names)).to.deep.equal([])
    expect(found(running.log, sent)).to.deep.equal([])
    expect(found(running.log, signIns)).to.deep.equal([])
  })

  it('are, where they are secrets, in no read model and in the vault only sealed', () => {
    expect(found(running.views, secrets)).to.deep.equal([])
    expect(found(running.vault, secrets)).to.deep.equal([])
    expect(found(running.vault, names)).to.deep.equal([])
    expect(found(running.views, signIns)).to.deep.equal([])
    expect(found(running.vault, signIns)).to.deep.equal([])
    // They were kept, and are there to be found sealed.
    expect(running.vault).to.include('password').and.to.include('email')
  })

  it('are, once their player is deleted and the program has stopped, in no read model', () => {
    expect(running.views).to.include(FORGOTTEN)
    expect(found(atRest.views, new Map([['anything forgotten', FORGOTTEN]]))).to.deep.equal([])
    expect(atRest.views).to.include(PERSON)
  })
})
