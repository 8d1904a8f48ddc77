// Players, for the tenant, in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const PLAYERS = '/api/gm/:game/players/'
const PLAYER = `${PLAYERS}:player/`

export const PLAYERS_OF_A_GAME: OperationGroup = {
  name: 'Players',
  description: 'Players of a game, for its tenant.',
  operations: {
    [`GET ${PLAYERS}`]: {
      id: 'listPlayers',
      description: 'In the order of their creation. With `name`, players whose name contains that text in any case.',
    },
    [`POST ${PLAYERS}`]: {
      id: 'createPlayer',
      description:
        'Creates a player whom your server submits for. `external_id` is your own id of the player; a game has each of them once.',
    },
    [`GET ${PLAYER}`]: {
      id: 'getPlayer',
      description: 'The player with their external id and their ban, if there is one.',
    },
    [`GET ${PLAYER}sessions/`]: {
      id: 'listPlayerSessions',
      description:
        'Sessions with which the player may still get tokens, by the time of their expiry, the oldest first.',
    },
    [`GET ${PLAYER}entries/`]: {
      id: 'listPlayerEntries',
      description:
        'Entries that are shown, on leaderboards that are not archived, in the order of the leaderboards’ ids, and of each leaderboard best first. A banned player has none. ' +
        'The cost is in proportion to the player’s entries.',
    },
    [`PUT ${PLAYER}`]: {
      id: 'renamePlayer',
      description: 'Every leaderboard shows the new name, also with old scores.',
    },
    [`DELETE ${PLAYER}`]: {
      id: 'deletePlayer',
      description:
        'Removes the player from every leaderboard, ends their sessions, removes their files and makes their texts unreadable in ' +
        'the history. After 200 no read shows the player. This cannot be undone.',
    },
    [`POST ${PLAYER}ban/`]: {
      id: 'banPlayer',
      description:
        'The player may not call, sign in or submit until the ban ends, and no leaderboard shows their entries. They come back ' +
        'unchanged afterwards. The player sees the reason, so write nothing about others in it. Repeating it replaces the end and the reason.',
    },
    [`POST ${PLAYER}unban/`]: {
      id: 'unbanPlayer',
      description:
        'Ends a ban. Tokens from before the ban work again. For a player who is not banned it changes nothing.',
    },
    [`POST ${PLAYER}signout/`]: {
      id: 'signOutPlayer',
      description:
        'Ends all sessions that the player began before this call, on every node. The player may sign in again.',
    },
    [`GET ${PLAYER}export/`]: {
      id: 'exportPlayer',
      description:
        'Answers an access request: everything that is recorded about the player, as one JSON object. It contains no password, ' +
        'token, or data of other players. An answer that is cut short is not valid JSON.',
    },
  },
}
