// Runs the examples in the help of `scorebook player …`, each on a new player whose id replaces the one in the example.
// Also redeems the ticket that a tenant gets.

import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../clients/javascript/connect.ts'
import type { MadeKey, Player } from '../../clients/javascript/shapes.ts'
import { openService, type Service } from './service.ts'

const EXAMPLE_ID = 'abcd2345abcd2345abcd2345'

describe('scorebook player', () => {
  let service: Service
  let game: string

  before(async () => {
    service = await openService()
    game = (await service.json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
  })
  after(() => service.close())

  /** The lines below `Examples:`, split into words as a shell would. */
  async function examplesOf(name: string): Promise<string[][]> {
    const { out } = await service.run('player', name, '--help')
    const lines = (out.split('\nExamples:\n')[1] ?? '').split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => {
      expect(line).to.match(/^ {2}npx scorebook player /)
      const words = line.match(/"[^"]*"|\S+/g) ?? []
      return words.slice(2).map((word) => word.replaceAll('"', ''))
    })
  }

  const NAMES = ['create', 'list', 'show', 'rename', 'ban', 'unban', 'signout', 'delete', 'ticket', 'export']

  it('has one command for each action of a tenant on a player', async () => {
    const { out } = await service.run('player', '--help')
    const listed = [...out.matchAll(/^ {2}(\w+) [^\n]*\S/gm)].map(([, name]) => name)
    expect(listed.filter((name) => name !== 'help')).to.deep.equal(NAMES)
  })

  for (const name of NAMES) {
    it(`runs the examples in the help of ${name}`, async () => {
      const examples = await examplesOf(name)
      expect(examples).to.not.deep.equal([])
      for (const words of examples) {
        const { id } = await service.json<Player>('player', 'create', 'Somebody')
        const given: Readonly<Record<string, string>> = {
          [EXAMPLE_ID]: id,
          'player.json': join(service.dataDir, `${id}.json`),
        }
        const result = await service.run(...words.map((word) => given[word] ?? word))
        expect([words.join(' '), result.code, result.err]).to.deep.equal([words.join(' '), 0, ''])
      }
    })
  }

  it('issues tickets that sign in the player with the given id or external id', async () => {
    const { prefix, secret = '' } = await service.json<MadeKey>('key', 'issue', '--kind', 'client', '--name', 'web')
    const client = await connect({ baseUrl: service.url, key: { prefix, secret } })
    const { id } = await service.json<Player>('player', 'create', 'Ada', '--external-id', 'user-99')
    for (const whom of [[id], ['--external-id', 'user-99']]) {
      const { ticket } = await service.json<{ ticket: string }>('player', 'ticket', ...whom)
      const { player } = await client.withTicket(game, ticket)
      expect(player).to.deep.include({ id, name: 'Ada' })
    }
    for (const wrong of [[], [id, '--external-id', 'user-99']]) {
      expect((await service.run('player', 'ticket', ...wrong)).code).to.equal(2)
    }
  })
})
