// Dependencies of this node's rooms server.

import type { Statuses } from '../access/statuses.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'
import { serveUnupgraded } from '../http/connections/upgrades.ts'
import { boardIdOf } from '../queries/board-key.ts'
import { boardVersions, liveBoard } from '../queries/live-board.ts'
import { isAllowedByAny } from '../queries/origin.ts'
import { redeemApart, redeemHere } from '../realtime/redeem.ts'
import { areStillAllowed, enterRooms, mayStill, roomGame, roomGames } from '../realtime/room-entry.ts'
import type { RoomsServerDeps } from '../realtime/server.ts'
import { callerNetwork } from '../runtime/network.ts'
import { createRates } from '../stores/embedded/transient.ts'
import type { Parts } from './compose.ts'

/** If this process does not serve the API, tickets are redeemed over HTTP. */
export function roomsDeps(parts: Parts, statuses: Statuses): RoomsServerDeps {
  const { stores, config, queries, revocations, log, metrics, now } = parts
  const { transient, rooms } = stores
  const ownGame = (game: string) => roomGame(queries, game)
  const { realtimeSecret: secret } = config
  const apiUrl = config.apiUrl ?? config.publicUrl
  const redeeming = { transient, now, enter: (holder: RoomHolder) => enterRooms(queries, statuses, holder, now()) }
  const redeem =
    config.roles.has('api') || !secret
      ? redeemHere(redeeming)
      : redeemApart({ ...redeeming, apiUrl, secret, roomGame: ownGame })
  return {
    rooms,
    redeem,
    admits: admission(parts),
    networkOf: (request) => callerNetwork(request, config.trustedProxies),
    countsNetworks: config.rateLimits !== 'off',
    maxRoomsOfAddress: config.addressLimits.rooms_address.max,
    areStillAllowed: (asked) => areStillAllowed(statuses, asked, now()),
    roomGames: (games) => roomGames(queries, games),
    onRevoked: (listener) => revocations.onChange(listener),
    syncAgeMs: () => revocations.syncAgeMs(),
    corsAllowedByAny: (origin) => isAllowedByAny(queries, origin),
    ownOrigin: new URL(config.realtimeUrl ?? config.publicUrl).origin,
    consoleOrigin: new URL(config.publicUrl).origin,
    unupgraded: serveUnupgraded,
    boardIdOf: (game, given) => boardIdOf(queries, game, given),
    liveBoard: (query) => liveBoard(queries, query, now()),
    now,
    boardVersions: (games) => boardVersions(queries, games, parts.builds.keyOf),
    mayStill: (holder, permission) => mayStill(statuses, holder, permission),
    log,
    metrics,
  }
}

/** Rate limit of Socket.IO handshakes: each counts as one request of its network address (`address`), on all nodes. */
function admission({ stores, config, now }: Parts): RoomsServerDeps['admits'] {
  const { rateLimits, trustedProxies } = config
  if (rateLimits === 'off') return async () => true
  const ofThisNode = createRates()
  return async (request) => {
    const bucket = { key: `address:${callerNetwork(request, trustedProxies)}`, ...rateLimits.address }
    const [state] = await stores.rates.take([bucket], now()).catch(() => ofThisNode.take([bucket], now()))
    return state?.admitted === true
  }
}
