// `scorebook rooms watch`: what it prints about a room and the list of rooms, and how it ends.

import { expect } from 'chai'
import { io } from 'socket.io-client'
import { asGame } from '../../cli/authenticated-clients.ts'
import { runCommandLine } from '../../cli/program.ts'
import { connectRooms, type RoomsClient } from '../../clients/javascript/rooms.ts'
import { openProxiedService } from './proxied-service.ts'
import type { Service } from './service.ts'

describe('scorebook rooms watch', () => {
  let service: Service
  let game: string
  before(async () => {
    service = await openProxiedService()
    game = (await service.json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
  })
  after(() => service.close())

  const tenant = async () => {
    const { url, dataDir } = service
    return (await asGame({ url, dataDir, keyFile: null, game, invocation: '' })).client
  }

  async function enter(): Promise<RoomsClient> {
    const client = await tenant()
    return connectRooms((url, how) => io(url, how), { roomTicket: () => client.roomTicket(game) })
  }

  function watch(...args: string[]) {
    const out: string[] = []
    const err: string[] = []
    let stop = () => {}
    let wake = () => {}
    const ended = runCommandLine(['rooms', 'watch', game, ...args], {
      env: service.env,
      out: (line) => {
        out.push(line)
        wake()
      },
      err: (line) => void err.push(line),
      columns: 80,
      redraw: null,
      onInterrupt: (wanted) => {
        stop = wanted
        return () => {}
      },
    })
    const until = async (is: RegExp) => {
      while (!out.some((line) => is.test(line))) {
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve
          }),
          ended.then((code) => {
            throw new Error(`it ended with ${code}: ${err.join()}`)
          }),
        ])
      }
    }
    return { out, err, until, ended, stop: () => stop() }
  }

  it('prints why a room cannot be watched', async () => {
    const { code, err } = await service.run('rooms', 'watch', game)
    expect([code, err]).to.satisfy(([, text]: [number, string]) => text.includes('rooms'))
    expect(code).to.equal(1)
  })

  it('prints the messages of a room as lines or JSON until it is interrupted', async () => {
    await (await tenant()).changeGame(game, { realtime: { enabled: true, require_player: false } } as never)
    const ada = await enter()
    const { room, member } = await ada.create({ name: 'Den' })
    const [lines, json] = [watch(room.id), watch(room.id, '--json')]
    await Promise.all([lines.until(/^In Den, with \d of \d+ members, at 0\.$/), json.until(/"event":"joined"/)])
    const { sent_at: at } = await ada.send(room.id, { hi: 'there' })
    await Promise.all([lines.until(/"hi":"there"/), json.until(/"hi":"there"/)])
    expect(lines.out).to.include(`${at}  1  ${member}: {"hi":"there"}`)
    const message = json.out.map((line) => JSON.parse(line)).find(({ event }) => event === 'message')
    expect(message).to.deep.equal({
      event: 'message',
      room: room.id,
      from: member,
      data: { hi: 'there' },
      seq: 1,
      sent_at: at,
    })
    ada.close()
    await lines.until(new RegExp(`^${member} left: disconnected$`))
    for (const one of [lines, json]) {
      one.stop()
      expect([await one.ended, one.err]).to.deep.equal([0, []])
    }
  })

  it('prints the list of rooms as it changes, and ends when rooms are disabled', async () => {
    const watching = watch()
    await watching.until(/^0 rooms:$/)
    const ada = await enter()
    const { room } = await ada.create({ name: 'Hall', max_members: 4 })
    await watching.until(new RegExp(`^1 room:\\n  ${room.id}  1 of 4  Hall$`))
    await (await tenant()).changeGame(game, { realtime: { enabled: false } } as never)
    expect(await watching.ended).to.equal(1)
    expect(watching.err.join()).to.contain('rooms_off')
    expect(await ada.over).to.equal('rooms_off')
  })
})
