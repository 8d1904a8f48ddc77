// How players sign in, in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const SIGN_IN = '/api/gm/:game/player/'

export const SIGN_IN_METHODS: OperationGroup = {
  name: 'Sign-in',
  description: 'How players sign in, renew their tokens, and sign out.',
  operations: {
    [`POST ${SIGN_IN}guest/`]: {
      id: 'signInAsGuest',
      description:
        'Without `guest_token` it creates a player (201) and returns the `guest_token` that signs the same player in again (200). ' +
        'Keep it on the device. Call it with a token of the game, usually of a client key.',
    },
    [`POST ${SIGN_IN}refresh/`]: {
      id: 'refreshSession',
      description:
        'Needs no bearer token. The refresh token stays the same and is valid for 30 days, unless the session or its key ends.',
    },
    [`POST ${SIGN_IN}signout/`]: {
      id: 'signOut',
      description: 'Ends the session of the token, or with `everywhere` all sessions of its player, on all devices.',
    },
    [`GET ${SIGN_IN}me/`]: { id: 'getMe', description: 'The player of the token, as they see themselves.' },
    [`PUT ${SIGN_IN}me/`]: {
      id: 'renameMe',
      description: 'Every leaderboard shows the new name, also with old scores.',
    },
    [`POST ${SIGN_IN}register/`]: {
      id: 'register',
      description:
        'With a game’s token it creates a player (201). With the token of a guest, that guest gets the login and keeps everything ' +
        '(200). An address that belongs to another player is ignored, so that the answer does not reveal it.',
    },
    [`POST ${SIGN_IN}password/`]: {
      id: 'signInByPassword',
      description:
        'A wrong password and an unknown login get the same answer. After 5 failures within a minute the login has to wait.',
    },
    [`POST ${SIGN_IN}code/`]: {
      id: 'mailCode',
      description:
        'Mails six digits that are valid for 15 minutes. The answer is the same for every address, known or not. A new code replaces ' +
        'the one before.',
    },
    [`POST ${SIGN_IN}code/verify/`]: {
      id: 'signInByCode',
      description: 'Each code works once. An address without a player creates one (201).',
    },
    [`POST ${SIGN_IN}ticket/`]: {
      id: 'createSignInTicket',
      description:
        'For players who have signed in with you: your server requests a ticket, your game redeems it. Name the player by `player`, ' +
        'or by `external_id`, which creates the player if there is none. A ticket is valid for 2 minutes.',
    },
    [`POST ${SIGN_IN}ticket/redeem/`]: {
      id: 'signInByTicket',
      description: 'Each ticket works once, also if several callers redeem it at the same time.',
    },
  },
}
