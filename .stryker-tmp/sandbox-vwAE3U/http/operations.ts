// Operation ids and tags of the OpenAPI document. A generated client has a method of that name in that group.

interface Operation {
  readonly id: string
  readonly tag: string
  /** Added to the summary where a caller needs to know more. */
  readonly description?: string
}

/** Groups in the order of the document. */
export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Handshake', description: 'From an API key to a bearer token: ask for a challenge, sign it, redeem it.' },
  { name: 'Games', description: 'Games: created by the operator, configured by their tenants.' },
  { name: 'Keys', description: 'API keys of a game and their permissions.' },
  { name: 'Leaderboards', description: 'Leaderboards, their rules, and rule changes on live leaderboards.' },
  { name: 'Scores', description: 'Submit scores, read ranks, at present and at any past instant.' },
  { name: 'Players', description: 'Players of a game, for its tenant.' },
  { name: 'Sign-in', description: 'How players sign in, renew their tokens, and sign out.' },
  { name: 'Files', description: 'Buckets, folders with rules, and files.' },
  { name: 'Rooms', description: 'Tickets to the realtime rooms.' },
  { name: 'History', description: 'Recorded events.' },
  { name: 'System', description: 'Verify and rebuild the views, for the operator.' },
  { name: 'Documents', description: 'The OpenAPI and AsyncAPI documents.' },
]

const CHALLENGE = 'Returns the values to sign. A challenge expires after a minute and can be redeemed once.'
const REDEEM =
  'Sign `{request_id}.{nonce}.{unix_ts}.{permissions}`: the first two from the challenge, the current Unix time in whole seconds, and ' +
  'the requested permissions, sorted by code unit and joined by `|` (empty: all that the key holds). HMAC-SHA256 with the secret as text, or ' +
  'Ed25519; base64url without padding, sent as `challenge`.'

const LB = '/api/lb/:leaderboard/'
const GAME = '/api/gm/:game/'
const PLAYER = `${GAME}players/:player/`
const SIGN_IN = `${GAME}player/`
const BUCKET = '/api/bkt/:bucket/'

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /api/auth/jwt/challenge/': { id: 'requestChallenge', tag: 'Handshake', description: CHALLENGE },
  'POST /api/auth/jwt/redeem/': { id: 'redeemChallenge', tag: 'Handshake', description: REDEEM },
  'POST /api/gm/': { id: 'createGame', tag: 'Games' },
  'GET /api/gm/': { id: 'listGames', tag: 'Games' },
  [`GET ${GAME}`]: { id: 'getGame', tag: 'Games' },
  [`PUT ${GAME}`]: { id: 'updateGame', tag: 'Games' },
  [`DELETE ${GAME}`]: { id: 'deleteGame', tag: 'Games' },
  [`GET ${GAME}limits/`]: { id: 'getGameLimits', tag: 'Games' },
  [`PUT ${GAME}limits/`]: { id: 'setGameLimits', tag: 'Games' },
  [`POST ${GAME}keys/`]: { id: 'issueKey', tag: 'Keys' },
  [`GET ${GAME}keys/`]: { id: 'listKeys', tag: 'Keys' },
  [`PUT ${GAME}keys/:prefix/`]: { id: 'updateKey', tag: 'Keys' },
  [`DELETE ${GAME}keys/:prefix/`]: { id: 'revokeKey', tag: 'Keys' },
  [`POST ${GAME}lb/`]: { id: 'createLeaderboard', tag: 'Leaderboards' },
  [`GET ${GAME}lb/`]: { id: 'listLeaderboards', tag: 'Leaderboards' },
  [`GET ${LB}`]: { id: 'getLeaderboard', tag: 'Leaderboards' },
  [`PUT ${LB}`]: { id: 'updateLeaderboard', tag: 'Leaderboards' },
  [`DELETE ${LB}`]: { id: 'archiveLeaderboard', tag: 'Leaderboards' },
  [`POST ${LB}preview/`]: { id: 'previewRules', tag: 'Leaderboards' },
  [`GET ${LB}rebuild/`]: { id: 'getRebuild', tag: 'Leaderboards' },
  [`POST ${LB}rebuild/`]: { id: 'startRebuild', tag: 'Leaderboards' },
  [`DELETE ${LB}rebuild/`]: { id: 'cancelRebuild', tag: 'Leaderboards' },
  [`GET ${LB}history/`]: { id: 'getRankHistory', tag: 'Scores' },
  [`GET ${LB}score/`]: { id: 'listScores', tag: 'Scores' },
  [`POST ${LB}score/`]: { id: 'submitScore', tag: 'Scores' },
  'GET /api/score/:score/': { id: 'getScore', tag: 'Scores' },
  'DELETE /api/score/:score/': { id: 'deleteScore', tag: 'Scores' },
  'GET /api/score/:score/why/': { id: 'explainScore', tag: 'Scores' },
  [`GET ${GAME}players/`]: { id: 'listPlayers', tag: 'Players' },
  [`POST ${GAME}players/`]: { id: 'createPlayer', tag: 'Players' },
  [`GET ${PLAYER}`]: { id: 'getPlayer', tag: 'Players' },
  [`PUT ${PLAYER}`]: { id: 'renamePlayer', tag: 'Players' },
  [`DELETE ${PLAYER}`]: { id: 'deletePlayer', tag: 'Players' },
  [`POST ${PLAYER}ban/`]: { id: 'banPlayer', tag: 'Players' },
  [`POST ${PLAYER}unban/`]: { id: 'unbanPlayer', tag: 'Players' },
  [`POST ${PLAYER}signout/`]: { id: 'signOutPlayer', tag: 'Players' },
  [`GET ${PLAYER}export/`]: { id: 'exportPlayer', tag: 'Players' },
  [`POST ${SIGN_IN}guest/`]: { id: 'signInAsGuest', tag: 'Sign-in' },
  [`POST ${SIGN_IN}refresh/`]: { id: 'refreshSession', tag: 'Sign-in' },
  [`POST ${SIGN_IN}signout/`]: { id: 'signOut', tag: 'Sign-in' },
  [`GET ${SIGN_IN}me/`]: { id: 'getMe', tag: 'Sign-in' },
  [`PUT ${SIGN_IN}me/`]: { id: 'renameMe', tag: 'Sign-in' },
  [`POST ${SIGN_IN}register/`]: { id: 'register', tag: 'Sign-in' },
  [`POST ${SIGN_IN}password/`]: { id: 'signInByPassword', tag: 'Sign-in' },
  [`POST ${SIGN_IN}code/`]: { id: 'mailCode', tag: 'Sign-in' },
  [`POST ${SIGN_IN}code/verify/`]: { id: 'signInByCode', tag: 'Sign-in' },
  [`POST ${SIGN_IN}ticket/`]: { id: 'createSignInTicket', tag: 'Sign-in' },
  [`POST ${SIGN_IN}ticket/redeem/`]: { id: 'signInByTicket', tag: 'Sign-in' },
  [`GET ${GAME}buckets/`]: { id: 'listBuckets', tag: 'Files' },
  [`POST ${GAME}buckets/`]: { id: 'createBucket', tag: 'Files' },
  [`GET ${BUCKET}`]: { id: 'getBucket', tag: 'Files' },
  [`PUT ${BUCKET}`]: { id: 'updateBucket', tag: 'Files' },
  [`DELETE ${BUCKET}`]: { id: 'deleteBucket', tag: 'Files' },
  [`GET ${BUCKET}ls/`]: { id: 'listFolder', tag: 'Files' },
  [`POST ${BUCKET}dir/`]: { id: 'createFolder', tag: 'Files' },
  [`DELETE ${BUCKET}dir/`]: { id: 'deleteFolder', tag: 'Files' },
  [`GET ${BUCKET}dir/rules/`]: { id: 'getFolderRules', tag: 'Files' },
  [`PUT ${BUCKET}dir/rules/`]: { id: 'setFolderRules', tag: 'Files' },
  [`GET ${BUCKET}file/`]: { id: 'getFile', tag: 'Files' },
  [`DELETE ${BUCKET}file/`]: { id: 'deleteFile', tag: 'Files' },
  [`GET ${BUCKET}download/`]: { id: 'getDownloadLink', tag: 'Files' },
  [`GET ${BUCKET}explain/`]: { id: 'explainAccess', tag: 'Files' },
  [`POST ${BUCKET}upload/`]: { id: 'startUpload', tag: 'Files' },
  [`POST ${BUCKET}upload/:upload/complete/`]: { id: 'completeUpload', tag: 'Files' },
  [`POST ${GAME}rt/ticket/`]: { id: 'createRoomTicket', tag: 'Rooms' },
  'POST /api/rt/redeem/': { id: 'redeemRoomTicket', tag: 'Rooms' },
  [`GET ${GAME}events/`]: { id: 'listEvents', tag: 'History' },
  'GET /api/sys/events/': { id: 'listAllEvents', tag: 'History' },
  'GET /api/sys/verify/': { id: 'verifyViews', tag: 'System' },
  'GET /api/sys/rebuild/': { id: 'getViewsRebuild', tag: 'System' },
  'POST /api/sys/rebuild/': { id: 'startViewsRebuild', tag: 'System' },
  'DELETE /api/sys/rebuild/': { id: 'cancelViewsRebuild', tag: 'System' },
  'POST /api/sys/rebuild/back/': { id: 'restorePreviousViews', tag: 'System' },
  'DELETE /api/sys/rebuild/back/': { id: 'discardPreviousViews', tag: 'System' },
  'GET /api/openapi.json': { id: 'getOpenApi', tag: 'Documents' },
  'GET /api/asyncapi.json': { id: 'getAsyncApi', tag: 'Documents' },
}

/** An unlisted route gets an id made of its method and path, and no group. */
export function operationOf(method: string, path: string): Omit<Operation, 'tag'> & { readonly tag: string | null } {
  const listed = OPERATIONS[`${method} ${path}`]
  if (listed !== undefined) return listed
  const words = path.split(/[/:.-]+/).filter((word) => word !== '' && word !== 'api')
  const camel = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  return { id: method.toLowerCase() + camel, tag: null }
}
