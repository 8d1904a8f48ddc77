// `scorebook rooms watch`: prints the events of a room, or the list of rooms, as a client receives them.

import { io } from 'socket.io-client'
import { ProblemError, Unreachable } from '../clients/javascript/problem.ts'
import { connectRooms, type RoomInfo, type RoomsClient, type RoomsHeard } from '../clients/javascript/rooms.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import { asGame } from './authenticated-clients.ts'
import { does, type Shell } from './command.ts'
import { CommandFault } from './failure.ts'
import { printable, type Terminal, withExamples } from './terminal.ts'

/** Polling interval, well within the rate limit of a connection. */
const LIST_EVERY_MS = 1_000

type Print = (event: string, body: object, line: string) => void

export function roomsCommands(shell: Shell): void {
  const group = shell.program.command('rooms').description('the realtime rooms of a game')
  const command = group
    .command('watch')
    .argument('<game>', 'its id')
    .argument('[room]', 'a room’s id; without one, the list of rooms is watched')
    .description('join a room and print its messages, or watch the list of rooms, until Ctrl+C')
  withExamples(command, 'rooms watch abcd2345abcd2345abcd2345', 'rooms watch abcd2345abcd2345abcd2345 lobby --json')
  does(shell, command, async ({ target, terminal, options }, game: string, room?: string) => {
    const { client } = await asGame(target, game)
    let address = target.url
    const roomTicket = async () => {
      const ticket = await client.roomTicket(game)
      address = ticket.url
      return ticket
    }
    const rooms = await connectRooms((url, how) => io(url, how), { roomTicket }).catch((error: unknown) => {
      if (error instanceof ProblemError || error instanceof Unreachable) throw error
      const text = messageOf(error)
      throw new CommandFault(`The rooms at ${address} cannot be reached: ${text}. Is a process with ROLES=rooms there?`)
    })
    const print: Print = (event, body, line) => {
      terminal.out(options.json === true ? JSON.stringify({ event, ...body }) : line)
    }
    await watching(rooms, terminal, room === undefined ? watchList(rooms, print) : watchRoom(rooms, room, print))
    return null
  })
}

/** Watches until the user interrupts; rejects if the server ends the connection. */
async function watching(rooms: RoomsClient, terminal: Terminal, watch: Promise<() => void>): Promise<void> {
  let isWanted = true
  const forget = terminal.onInterrupt?.(() => {
    isWanted = false
    rooms.close()
  })
  try {
    const end = await watch
    const code = await rooms.over
    end()
    if (isWanted) throw new CommandFault(`The rooms ended the connection: ${code ?? 'it was lost'}.`)
  } finally {
    forget?.()
    rooms.close()
  }
}

async function watchRoom(rooms: RoomsClient, room: string, print: Print): Promise<() => void> {
  const on = <Event extends keyof RoomsHeard>(event: Event, line: (body: RoomsHeard[Event]) => string) =>
    rooms.on(event, (body) => print(event, body, line(body)))
  on(
    'message',
    ({ sent_at: at, seq, from, data }) => `${at}  ${seq ?? 'to one'}  ${from}: ${printable(JSON.stringify(data))}`,
  )
  on('member_joined', ({ member, player }) => `${member} joined${player === null ? '' : `: ${printable(player.name)}`}`)
  on('member_left', ({ member, reason }) => `${member} left: ${reason}`)
  on('joined', ({ room: { name, max_members: max }, members, seq }) => {
    return `In ${printable(name)}, with ${members.length} of ${max} members, at ${seq}.`
  })
  await rooms.join(room)
  return () => {}
}

async function watchList(rooms: RoomsClient, print: Print): Promise<() => void> {
  let last = ''
  const poll = async () => {
    const found = await rooms.list({ limit: 100 })
    const lines = found.rooms.map(roomLine)
    const head = found.count === 1 ? '1 room' : `${found.count} rooms`
    const text = [found.count > lines.length ? `${head}, of which the first:` : `${head}:`, ...lines].join('\n')
    if (text !== last) print('rooms', found, text)
    last = text
  }
  await poll()
  // If it fails, the connection has ended, which is reported by its own event.
  const timer = setInterval(() => void poll().catch(() => {}), LIST_EVERY_MS)
  return () => clearInterval(timer)
}

const roomLine = ({ id, name, members, max_members: max, fixed }: RoomInfo): string =>
  `  ${id}  ${members} of ${max}${fixed ? ', fixed' : ''}  ${printable(name)}`
