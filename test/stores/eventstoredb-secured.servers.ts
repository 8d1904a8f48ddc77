// The log on an EventStoreDB with TLS, users and permissions: the error for each misconfiguration, and permissions
// that are withdrawn at run time.

import { expect } from 'chai'
import { StoresFault } from '../../stores/contract/faults.ts'
import { AppendDenied } from '../../stores/contract/log.ts'
import { checkEventStore } from '../../stores/eventstoredb/check.ts'
import { type EventStoreLog, openEventStore } from '../../stores/eventstoredb/log.ts'
import { someEvent, someEvents } from '../contracts/events.ts'
import { type Authority, makeAuthority } from '../servers/eventstoredb/identity.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { follow, recorded, within } from './eventstoredb-writers.ts'

const prefixes = ['s-']
const PASSWORD = 'p@ss:w?rd'
const USER = `scorebook:${encodeURIComponent(PASSWORD)}`
const MARKER = 'planted'

describe('the log on a secured EventStoreDB', () => {
  let authority: Authority
  let other: Authority
  let server: EventStoreServer

  before(() => {
    authority = makeAuthority()
    other = makeAuthority({ host: 'DNS:elsewhere.example' })
  })
  after(() => {
    authority.remove()
    other.remove()
  })
  beforeEach(async () => {
    server = await startEventStore({
      identity: authority.identity,
      users: {
        scorebook: { password: PASSWORD, rights: ['readAll', 'readStreams', 'append'] },
        admin: { password: 'changeit', rights: ['readAll', 'readStreams', 'append', 'options'] },
      },
    })
  })
  afterEach(() => server.stop())

  const urlOf = (user: string, options = `tlsCAFile=${authority.caFile}`): string =>
    `esdb://${user === '' ? '' : `${user}@`}127.0.0.1:${server.port}?${options}`

  async function refusal(url: string, deadlineMs = 600): Promise<string> {
    const error = await checkEventStore({ url, prefixes, deadlineMs }).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).to.be.an.instanceOf(StoresFault)
    const { message } = error as StoresFault
    expect(message).not.to.contain(PASSWORD).and.not.to.contain(encodeURIComponent(PASSWORD))
    expect(message).not.to.contain(MARKER)
    return message
  }

  it('works with a user that has the three rights and a password with special characters', async () => {
    const log = await openEventStore({ url: urlOf(USER), prefixes })
    const followed = follow(log)
    await recorded(log, 's-1', 'none', someEvents(3))
    await within('they came', () => followed.ids.length === 3)
    expect(await log.readStream('s-1', 0, 9)).to.have.length(3)
    followed.stop()
    await log.close()
  })

  it('warns if the server does not tell this user whether its log is in memory', async () => {
    const { inMemory, warnings } = await checkEventStore({ url: urlOf(USER), prefixes, production: true })
    expect(inMemory).to.equal('unknown')
    expect(warnings.map(({ detail }) => detail)).to.deep.equal([
      'it does not say whether it keeps its log in memory, where a restart loses all of it',
    ])
    const asAdmin = await checkEventStore({ url: urlOf('admin:changeit'), prefixes, production: true })
    expect(asAdmin).to.deep.include({ inMemory: 'no', warnings: [] })
  })

  it('distinguishes a wrong password, a missing user and a missing right', async () => {
    expect(await refusal(urlOf(`scorebook:${MARKER}`))).to.contain('refuses the user or password in EVENTSTORE_URL')
    expect(await refusal(urlOf(`nobody:${MARKER}`))).to.contain('refuses the user or password in EVENTSTORE_URL')
    expect(await refusal(urlOf(''))).to.contain('an anonymous user (EVENTSTORE_URL sends none) read $all')
  })

  it('names each missing right and where to grant it', async () => {
    const advice = [
      ['readAll', 'read $all: add it to "$r" in the metadata of $all'],
      ['readStreams', 'read our streams: add it to "$r" of "$userStreamAcl" in $settings'],
      ['append', 'append to our streams: add it to "$w" of "$userStreamAcl" in $settings'],
    ] as const
    for (const [right, says] of advice) {
      server.withdraw('scorebook', right)
      expect(await refusal(urlOf(USER))).to.contain(`does not let the user of EVENTSTORE_URL ${says}`)
      server.grant('scorebook', right)
    }
    expect((await checkEventStore({ url: urlOf(USER), prefixes })).version).to.equal('23.10.8')
  })

  it('reports which side does not use TLS', async () => {
    expect(await refusal(urlOf(USER, 'tls=false'))).to.contain('speaks TLS, and EVENTSTORE_URL says tls=false')
    const plain = await startEventStore()
    const url = `esdb://${USER}@127.0.0.1:${plain.port}?tlsCAFile=${authority.caFile}`
    expect(await refusal(url)).to.contain('does not speak TLS: set tls=false')
    await plain.stop()
  })

  it('reports a certificate of another authority or for another host, also with discovery', async () => {
    const wrong = `127.0.0.1:${server.port}: its certificate is not signed by the CA in tlsCAFile`
    expect(await refusal(urlOf(USER, `tlsCAFile=${other.caFile}`))).to.contain(wrong)
    expect(await refusal(urlOf(USER, ''))).to.contain(wrong)
    const discovering = urlOf(USER, `tlsCAFile=${other.caFile}`).replace('esdb:', 'esdb+discover:')
    expect(await refusal(discovering)).to.contain(wrong)
    const elsewhere = await startEventStore({ identity: other.identity })
    const url = `esdb://${USER}@127.0.0.1:${elsewhere.port}?tlsCAFile=${other.caFile}`
    expect(await refusal(url)).to.contain('its certificate is for other host names')
    await elsewhere.stop()
  })

  it('warns in production if the password is not sent because TLS is off', async () => {
    const plain = await startEventStore()
    const url = `esdb://${USER}@127.0.0.1:${plain.port}?tls=false`
    const warned = (production: boolean) => checkEventStore({ url, prefixes, production })
    expect((await warned(true)).warnings.map(({ detail }) => detail)).to.deep.equal([
      'EVENTSTORE_URL has a user and tls=false: without TLS the client sends no user and no password',
    ])
    expect((await warned(false)).warnings).to.deep.equal([])
    await plain.stop()
  })

  describe('while it runs', () => {
    let log: EventStoreLog
    const changes: string[] = []
    const denied: string[] = []

    beforeEach(async () => {
      changes.length = 0
      denied.length = 0
      const onAccess = (message: string) => void changes.push(message)
      const onDenied = (right: string) => void denied.push(right)
      const handlers = { onAccess, onDenied }
      log = await openEventStore({ url: urlOf(USER), prefixes, deadlineMs: 2_000, heartbeatMs: 100, ...handlers })
      await recorded(log, 's-1', 'none', someEvents(1))
    })
    afterEach(() => log.close())

    const rejected = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => null,
        (error: unknown) => error,
      )

    it('treats a denied append as not written, reports the cause once, and writes again when the right is back', async () => {
      await log.mayAppend()
      server.withdraw('scorebook', 'append')
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect(await rejected(log.append('s-1', 0, [someEvent()]))).to.be.an.instanceOf(AppendDenied)
      }
      expect(String(await rejected(log.mayAppend()))).to.contain('append to our streams')
      expect(denied, 'one for each denied call').to.deep.equal(['append', 'append', 'append', 'append'])
      expect(await log.readStream('s-1', 0, 9)).to.have.length(1)
      expect(changes).to.have.length(1)
      expect(changes[0]).to.contain('does not let the user of EVENTSTORE_URL append to our streams')
      server.grant('scorebook', 'append')
      await log.mayAppend()
      await recorded(log, 's-1', 0, [someEvent()])
      expect(changes).to.have.length(2)
      expect(changes[1]).to.contain('has granted again what it denied (append)')
    })

    it('reports once that $all may not be read, and subscribes again when it may', async () => {
      const followed = follow(log)
      await within('it came', () => followed.ids.length === 1)
      server.withdraw('scorebook', 'readAll')
      server.cut()
      await within('the subscription broke, twice', () => followed.broken.length > 2)
      await rejected(log.head())
      expect(changes).to.have.length(1)
      expect(changes[0]).to.contain('does not let the user of EVENTSTORE_URL read $all')
      expect(new Set(denied)).to.deep.equal(new Set(['readAll']))
      server.grant('scorebook', 'readAll')
      await recorded(log, 's-1', 0, [someEvent()])
      await within('it followed again', () => followed.ids.length === 2)
      await log.head()
      expect(changes).to.have.length(2)
      followed.stop()
    })
  })
})
