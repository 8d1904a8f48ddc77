// What the comparison needs of a peer: a server that is running and has a leaderboard. One adapter per product.

/** Signs players in. Throws an error that says what the server lacks. */
export type Peer = (origin: string, players: number) => Promise<PeerCalls>

/** The text of each request, complete with its token. Players count from 0. */
export interface PeerCalls {
  submit(player: number, score: number): string
  /** 20 entries around the player. */
  around(player: number): string
  /** The first 20 entries. */
  top(player: number): string
  readonly many: ManyScores
}

/** A score on the first or the second leaderboard. */
export interface PeerScore {
  readonly player: number
  readonly board: 0 | 1
  readonly score: number
}

/** How a game's own server submits scores of many players. */
export interface ManyScores {
  /** Under way at one time. */
  readonly connections: number
  /** The requests that submit these scores. */
  requests(scores: readonly PeerScore[]): string[]
}

/** A player of a peer. */
export interface PeerPlayer {
  readonly token: string
  readonly id: string
}

/** Sign-ins under way at one time. */
export const SIGN_INS = 64

/** The requests of a leaderboard with REST paths. */
export function peerCalls(
  origin: string,
  players: readonly PeerPlayer[],
  paths: PeerPaths,
  many: ManyScores,
): PeerCalls {
  const { host } = new URL(origin)
  const request = (method: string, number: number, path: (player: PeerPlayer) => string, body = '') => {
    const player = players[number]
    if (player === undefined) throw new Error(`There is no player ${number}.`)
    const kind = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    const head = `${method} ${path(player)} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${player.token}\r\n`
    return `${head}${kind}\r\n${body}`
  }
  return {
    submit: (player, score) => request('POST', player, () => paths.submit, JSON.stringify({ score: String(score) })),
    around: (player) => request('GET', player, paths.around),
    top: (player) => request('GET', player, () => paths.top),
    many,
  }
}

interface PeerPaths {
  readonly submit: string
  around(player: PeerPlayer): string
  readonly top: string
}
