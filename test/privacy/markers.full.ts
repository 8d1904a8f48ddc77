// Planted markers: after calls to every endpoint, with valid and invalid input and the most verbose log, no secret and
// no name is in a log line or an event, no secret is in the read models, and the vault contains secrets only encrypted.
// Nothing is left of a deleted player.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import {
  ADDRESS,
  BODY,
  bytesOf,
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

/** Which of them are in the text, in plain, base64 of either kind, or hexadecimal. */
function found(text: string, wanted: ReadonlyMap<string, string>): string[] {
  return [...wanted].flatMap(([what, value]) => {
    const bytes = Buffer.from(value)
    const spellings = [value, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
    return spellings.some((spelling) => text.includes(spelling)) ? [what] : []
  })
}

describe('markers planted in secrets and personal texts', () => {
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
  /** Logins are compared without regard to case, and stored in capitals. */
  const signIns = new Map([
    ['a login', LOGIN],
    ['a login in capitals', LOGIN.toUpperCase()],
    ['a password', PASSWORD],
    ['an address', ADDRESS],
  ])
  /** The log line of a mail in development, which the contract defines, is checked separately. */
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

  it('reach the server in every planted place', () => {
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
    const logLines = world
      .output()
      .split('\n')
      .filter((line) => line.includes(ADDRESS))
    expect(logLines).to.have.length(2)
    for (const line of logLines) {
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

  it('are in no read model, and only encrypted in the vault, where they are secrets', () => {
    expect(found(running.views, secrets)).to.deep.equal([])
    expect(found(running.vault, secrets)).to.deep.equal([])
    expect(found(running.vault, names)).to.deep.equal([])
    expect(found(running.views, signIns)).to.deep.equal([])
    expect(found(running.vault, signIns)).to.deep.equal([])
    // They were recorded, and are found encrypted.
    expect(running.vault).to.include('password').and.to.include('email')
  })

  it('are in no read model once their player is deleted and the program has stopped', () => {
    // `callEverything` waits until the text is in the file before it deletes the player. `running` is read later, and a
    // purge may have removed the text by then.
    expect(found(atRest.views, new Map([['anything forgotten', FORGOTTEN]]))).to.deep.equal([])
    expect(atRest.views).to.include(PERSON)
  })
})
