// The permissions that docs/servers.md grants to the user of EVENTSTORE_URL suffice to record a game and to delete
// it. The log line about a missing permission says where it is granted.

import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { SERVERS_SETTLE_MS } from '../../server/node/deletion.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { someEvents } from '../contracts/events.ts'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { storedWith } from '../front-door/stored-texts.ts'
import { must, openWorld, type World } from '../front-door/world.ts'
import type { Right } from '../servers/eventstoredb/access.ts'
import { type Authority, makeAuthority } from '../servers/eventstoredb/identity.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers, freshStoresBeside, type ServerStores, withServers } from '../servers/store-urls.ts'
import { until } from '../until.ts'
import { recorded } from './eventstoredb-writers.ts'

const USER = 'scorebook'
const PASSWORD = 'hunter2'
const ADMIN = 'admin'

interface Acl {
  readonly [operation: string]: string | readonly string[]
}

/** Operation of `$userStreamAcl` -> the right in the test server. */
const STREAM_RIGHTS: Readonly<Record<string, Right>> = {
  $r: 'readStreams',
  $w: 'append',
  $d: 'deleteStreams',
  $mr: 'readMetadata',
  $mw: 'writeMetadata',
}
const ALL: readonly Right[] = ['readAll', 'options', ...Object.values(STREAM_RIGHTS)]

/** The rights that the two documents in docs/servers.md grant to the user. */
function documentedRights(): Right[] {
  const page = readFileSync(new URL('../../docs/servers.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('### Rights on EventStoreDB'))
  const [ofAll, defaults] = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))
  const grants = (acl: Acl, operation: string) => [acl[operation] ?? []].flat().includes(USER)
  const ofStreams = Object.entries(STREAM_RIGHTS).filter(([operation]) => grants(defaults.$userStreamAcl, operation))
  return [...(grants(ofAll.$acl, '$r') ? (['readAll'] as const) : []), ...ofStreams.map(([, right]) => right)]
}

describe('the rights that docs/servers.md grants on EventStoreDB', function () {
  this.timeout(60_000)
  let authority: Authority
  let server: EventStoreServer
  let beside: ServerStores
  let world: World
  let doomed: GameToDelete

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    authority = makeAuthority()
    const users = {
      [USER]: { password: PASSWORD, rights: documentedRights() },
      [ADMIN]: { password: PASSWORD, rights: ALL },
    }
    server = await startEventStore({ identity: authority.identity, users })
    beside = await freshStoresBeside({ url: urlOf(USER) })
    world = await openWorld({ logLevel: 'info', storeUrls: beside })
  })
  after(async () => {
    await world.close()
    await server.stop()
    authority.remove()
    await endSharedServers()
  })

  const urlOf = (user: string) => `esdb://${user}:${PASSWORD}@127.0.0.1:${server.port}?tlsCAFile=${authority.caFile}`
  const failures = () =>
    world.lines
      .map((line) => JSON.parse(line))
      .filter(({ process, failure }) => process === 'delete_games' && failure !== undefined)
      .map(({ failure }): string => failure)

  it('are exactly those that recording and deleting a game need', () => {
    expect(documentedRights()).to.have.members(ALL.filter((right) => right !== 'options'))
  })

  it('suffice to record a game and to delete games', async () => {
    for (const marker of ['Qzfirst', 'Qzsecond']) {
      doomed = await makeGameToDelete(world, marker)
      must(await deleteGame(world, doomed.game.id, doomed.name), 202)
      await untilErased(world, doomed.game.id)
      const asAdmin = { ...world, storeUrls: withServers(beside.storeUrls, { eventStoreUrl: urlOf(ADMIN) }) }
      expect(await storedWith(asAdmin, marker)).to.deep.equal([])
    }
    expect(failures()).to.deep.equal([])
  })

  for (const [right, says] of [
    ['deleteStreams', 'delete our streams: add it to "$d" of "$userStreamAcl" in $settings'],
    ['writeMetadata', 'write the metadata of our streams: add it to "$mw" of "$userStreamAcl" in $settings'],
  ] as const) {
    it(`a deletion without ${right} names the right, and completes once it is granted`, async () => {
      server.withdraw(USER, right)
      doomed = await makeGameToDelete(world, `Qz${right}`)
      must(await deleteGame(world, doomed.game.id, doomed.name), 202)
      world.clock.nowMs += SERVERS_SETTLE_MS
      await until(() =>
        failures().some((message) => message.includes(`does not let the user of EVENTSTORE_URL ${says}`)),
      )
      server.grant(USER, right)
      await untilErased(world, doomed.game.id)
    })
  }

  it('allow reading the metadata of a stream, to truncate it again after a crash', async () => {
    const log = await openEventStore({ url: urlOf(USER), prefixes: ['s-'] })
    try {
      await recorded(log, 's-1', 'none', someEvents(3))
      await log.streams.truncateStream('s-1', 2)
      server.withdraw(USER, 'readMetadata')
      const denied: unknown = await log.streams.truncateStream('s-1', 2).catch((error: unknown) => error)
      const says = 'read the metadata of our streams: add it to "$mr" of "$userStreamAcl" in $settings'
      expect(String((denied as Error).cause)).to.contain(`does not let the user of EVENTSTORE_URL ${says}`)
      server.grant(USER, 'readMetadata')
      await log.streams.truncateStream('s-1', 2)
      expect((await log.readStream('s-1', 0, 9)).map(({ revision }) => revision)).to.deep.equal([2])
    } finally {
      await log.close()
    }
  })
})
