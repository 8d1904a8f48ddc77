// The AsyncAPI document matches the event schemas and the refusals of the rooms.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect } from 'chai'
import { CLIENT_EVENTS, REFUSALS, SERVER_EVENTS } from '../../realtime/events.ts'
import { must, openWorld, type World } from '../front-door/world.ts'

interface Message {
  readonly summary: string
  readonly description: string
  readonly payload: object
  readonly examples?: readonly { readonly payload: unknown }[]
}

describe('the AsyncAPI document', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('contains every event of either direction with its payload and a valid example, and every refusal', async () => {
    const document = must(await world.call('GET', '/api/asyncapi.json'), 200)
    expect([document.asyncapi, document.servers.rooms.protocol]).to.deep.equal(['3.0.0', 'ws'])
    const { messages } = document.components
    const named = [
      ...Object.keys(CLIENT_EVENTS).map((name) => `client.${name}`),
      ...Object.keys(SERVER_EVENTS).map((name) => `server.${name}`),
    ]
    expect(Object.keys(messages)).to.deep.equal(named)
    expect(Object.keys(document.channels.rooms.messages)).to.deep.equal(named)
    expect(messages['client.join'].payload).to.deep.include({ type: 'object', required: ['room'] })
    expect(messages['server.message'].payload.required).to.deep.equal(['room', 'from', 'data', 'seq', 'sent_at'])
    for (const code of REFUSALS) expect(document.info.description).to.contain(code)
    for (const [name, { summary, description, payload, examples }] of Object.entries<Message>(messages)) {
      expect(
        [summary, description].every((text) => text.length > 10),
        name,
      ).to.equal(true)
      expect(examples?.length, `${name} has an example: npm run record:examples`).to.equal(1)
      const check = new Ajv2020({ strict: false, formats: fullFormats }).compile(payload)
      check(examples?.[0]?.payload)
      expect(check.errors ?? [], name).to.deep.equal([])
    }
    for (const { action, messages: refs } of Object.values<{ action: string; messages: { $ref: string }[] }>(
      document.operations,
    )) {
      for (const { $ref } of refs) {
        const at = $ref.split('/').at(-1) ?? ''
        expect(messages).to.have.property(at)
        expect(at.startsWith(action === 'receive' ? 'client.' : 'server.')).to.equal(true)
      }
    }
  })
})
