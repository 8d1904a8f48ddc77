// The rooms and files of the demo: three fixed rooms with a conversation in one of them, printed as it is received, and
// a bucket in which players may create saves, with a few saves.

import { io } from 'socket.io-client'
import type { Client, PlayerClient } from '../clients/javascript/connect.ts'
import type { Bucket } from '../clients/javascript/file-shapes.ts'
import { ProblemError, Unreachable } from '../clients/javascript/problem.ts'
import { connectRooms, type RoomInfo, type RoomsClient } from '../clients/javascript/rooms.ts'
import type { FixedRoom } from '../clients/javascript/shapes.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import { printable, type Terminal } from './terminal.ts'

const DEMO_ROOMS: readonly FixedRoom[] = [
  { id: 'lobby', name: 'Lobby', max_members: 32, listed: true },
  { id: 'trading-post', name: 'Trading post', max_members: 8, listed: true },
  { id: 'referees', name: 'Referees', max_members: 4, listed: false },
]

const TALK = [
  'Anyone for a lap before the next round?',
  'Two minutes. I am 20 coins short of the top ten.',
  'Then take the inner track, the outer one is slow today.',
  'Ready when you are.',
  'Starting in three, two, one …',
]
const TALKERS = 3

interface DemoPlayers {
  readonly server: Client
  readonly game: string
  readonly guests: readonly PlayerClient[]
}

/** The rooms listed at the end; empty if they could not be reached, which is printed. */
export async function demoRooms(
  terminal: Terminal,
  { server, game, guests }: DemoPlayers,
): Promise<readonly RoomInfo[]> {
  // With require_player off, `rooms watch` can join with the game's own key.
  const realtime = { enabled: true, require_player: false }
  await server.changeGame(game, { realtime, fixed_rooms: DEMO_ROOMS })
  terminal.err(`Enabled the rooms: ${DEMO_ROOMS.map(({ name }) => name).join(', ')}`)
  const there: RoomsClient[] = []
  try {
    for (const guest of guests.slice(0, TALKERS)) there.push(await connectRooms((url, how) => io(url, how), guest))
    await talk(terminal, there)
    return (await there[0]?.list())?.rooms ?? []
  } catch (error) {
    const reason = messageOf(error)
    terminal.err(
      `The rooms cannot be used: ${reason}. Check that a process with ROLES=rooms runs at the address in the tickets.`,
    )
    return []
  } finally {
    for (const one of there) one.close()
  }
}

/**
 * The players send one line each in turn. The first player joined first and so receives all lines in the room's order.
 */
async function talk(terminal: Terminal, there: readonly RoomsClient[]): Promise<void> {
  const [listener] = there
  if (listener === undefined) return
  const names = new Map<string, string>()
  let heard = 0
  let wake = () => {}
  const isOver = new Promise<void>((resolve) => {
    wake = resolve
  })
  listener.on('message', ({ seq, from, data }) => {
    terminal.err(`  ${seq}  ${printable(names.get(from) ?? from)}: ${printable(String((data as { say: string }).say))}`)
    if (++heard === TALK.length) wake()
  })
  for (const one of there) {
    const { member, members, room } = await one.join('lobby')
    const name = members.find((each) => each.member === member)?.player?.name ?? member
    names.set(member, name)
    terminal.err(`${printable(name)} is in the ${room.name}, ${members.length} of ${room.max_members}`)
  }
  for (const [n, say] of TALK.entries()) await there[n % there.length]?.send('lobby', { say })
  // Stop if the connection ends first.
  await Promise.race([isOver, listener.over])
}

export const SAVES = '/saves/'
const SAVED = 3
const UPLOAD_RETRY_MS = 3_000

/** Answers null and prints the reason if no file could be stored. */
export async function demoFiles(
  terminal: Terminal,
  server: Client,
  game: string,
  guests: readonly PlayerClient[],
): Promise<Bucket | null> {
  const { id } = await server.createBucket(game, { name: 'Saves' })
  await server.makeFolder(id, SAVES)
  const { rules, child_rules } = await server.folderRules(id, SAVES)
  const ofPlayers = { ...rules, list_files: 'player', create: 'player', read: 'player' } as const
  await server.setFolderRules(id, { path: SAVES, rules: ofPlayers, child_rules })
  const how = { contentType: 'application/json', patienceMs: UPLOAD_RETRY_MS }
  try {
    for (const [at, guest] of guests.slice(0, SAVED).entries()) {
      const name = guest.player.name ?? 'a player'
      const save = new Blob([JSON.stringify({ player: name, level: at + 1, coins: 120 * (at + 1) })])
      const path = `${SAVES}${name.toLowerCase().replaceAll(' ', '-')}.json`
      const { size } = await guest.uploadFile(id, path, save, how)
      terminal.err(`${printable(name)} saved ${path}, ${size} bytes`)
    }
  } catch (failure) {
    if (failure instanceof ProblemError && failure.code === 'files_off') {
      terminal.err('No files: this server has no file store. Set FILES_DIR or S3_URL and restart it.')
    } else if (failure instanceof Unreachable) {
      terminal.err(
        `No files: ${failure.message}. Check that the address in PUBLIC_URL (or S3_URL) can be reached from here.`,
      )
    } else throw failure
    return null
  }
  return server.bucket(id)
}
