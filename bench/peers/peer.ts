// What the comparison needs of a peer: a server that is running and has a leaderboard. One adapter per product.

/** Signs players in. Throws an error that says what the server lacks. */
export type Peer = (origin: string, players: number) => Promise<PeerCalls>

/** The text of each request, complete with its token. Players count from 0. */
export interface PeerCalls {
  submit(player: number, score: number): string
  /** 20 entries around the player. More than one request where the product has none for it. */
  around(player: number): readonly string[]
  /** The first 20 entries. */
  top(player: number): string
  readonly many: ManySubmissions
}

/** A score on the first or the second leaderboard. */
export interface PeerScore {
  readonly player: number
  readonly board: 0 | 1
  readonly score: number
}

/** How a game's own server submits scores of many players. */
export interface ManySubmissions {
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
  many: ManySubmissions,
): PeerCalls {
  const { host } = new URL(origin)
  const request = (method: string, number: number, path: (player: PeerPlayer) => string, body?: object) => {
    const player = players[number]
    if (player === undefined) throw new Error(`There is no player ${number}.`)
    return requestText(host, player.token, method, path(player), body)
  }
  return {
    submit: (player, score) => request('POST', player, () => paths.submit, { score: String(score) }),
    around: (player) => [request('GET', player, paths.around)],
    top: (player) => request('GET', player, () => paths.top),
    many,
  }
}

/** The text of a request with a player's or a server's token. */
export function requestText(host: string, token: string, method: string, path: string, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const kind = text === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n${kind}\r\n${text}`
}

interface PeerPaths {
  readonly submit: string
  around(player: PeerPlayer): string
  readonly top: string
}
