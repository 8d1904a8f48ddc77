// The published JSON Schemas of events: one for each type, and every event that was ever written is valid by its own.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect } from 'chai'
import { z } from 'zod'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { EVENT_SCHEMAS, eventLineOf, publishedSchema } from '../../http/event-schemas/all.ts'
import { eventAnswer } from '../../queries/events.ts'
import { FROZEN } from '../domain/frozen.ts'
import type { Body } from '../front-door/http-client.ts'
import { must, openWorld, type World } from '../front-door/world.ts'
import { makeSampleGame } from '../security/samples.ts'
import { faultsOf } from './faults.ts'

describe('the JSON Schemas of events', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('exist for every event type, and for no other', () => {
    expect([...EVENT_SCHEMAS.keys()]).to.deep.equal(EVENT_TYPES.toSorted())
  })

  it('describe as personal exactly the fields that the log encrypts', () => {
    const personal = [...EVENT_SCHEMAS].flatMap(([type, { data }]) => {
      const { properties = {} } = z.toJSONSchema(data)
      const isPersonal = (of: unknown) => JSON.stringify(of).includes('Null once the player is deleted')
      return Object.entries(properties).flatMap(([field, of]) => (isPersonal(of) ? [`${type}.${field}`] : []))
    })
    const encrypted = Object.entries(PERSONAL_FIELDS).flatMap(([type, fields]) => fields.map((one) => `${type}.${one}`))
    expect(personal).to.have.members(encrypted)
  })

  it('accept every frozen event, with no unknown field', () => {
    expect(faultsOf(FROZEN.map(eventAnswer))).to.deep.equal([])
  })

  it('refuse a field of another type, a missing field, and another type of event', () => {
    const event = FROZEN.map(eventAnswer).find(({ type }) => type === 'ScoreSubmitted') as Body
    const { score: _, ...withoutScore } = event.data
    const faulty = [{ ...event.data, score: 12.5 }, withoutScore, { ...event.data, more: 1 }]
    expect(faultsOf(faulty.map((data) => ({ ...event, data })))).to.have.length(3)
    const banned = EVENT_SCHEMAS.get('PlayerBanned') ?? expect.fail()
    expect(eventLineOf('PlayerBanned', banned).safeParse(event).success).to.equal(false)
  })

  it('are served with an id under which they are found, and allow fields that later versions add', async () => {
    const { schemas } = must(await world.call('GET', '/api/schemas/events/'), 200)
    expect(schemas.map(({ type }: { type: string }) => type)).to.deep.equal([...EVENT_SCHEMAS.keys()])
    const ajv = new Ajv2020({ formats: fullFormats })
    ajv.addVocabulary(['x-version'])
    for (const { type, url, version, description } of schemas) {
      const schema = must(await world.call('GET', new URL(url).pathname), 200)
      expect([schema.$id, schema.title, schema['x-version'], schema.description]).to.deep.equal([
        url,
        type,
        version,
        description,
      ])
      ajv.addSchema(schema)
      const frozen = FROZEN.map(eventAnswer).filter((event) => event.type === type)
      expect(frozen.length).to.be.greaterThan(0)
      for (const event of frozen) {
        expect(ajv.validate(url, { ...event, data: { ...event.data, later: true } }), ajv.errorsText()).to.equal(true)
      }
    }
    expect((await world.call('GET', '/api/schemas/events/Nothing.json')).status).to.equal(404)
    expect((await world.call('GET', '/api/schemas/events/__proto__.json')).status).to.equal(404)
  })

  it('accept every event of a running game', async () => {
    const { game } = await makeSampleGame(world, 'Quest')
    const { text } = await world.call('GET', `/api/gm/${game.id}/events/`, { token: game.token })
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.length).to.be.greaterThan(10)
    expect(faultsOf(events)).to.deep.equal([])
  })

  it('name their base URL once, with or without a slash at its end', () => {
    const schema = EVENT_SCHEMAS.get('KeyRevoked') ?? expect.fail()
    const idAt = (url: string) => Reflect.get(publishedSchema('KeyRevoked', schema, url), '$id')
    expect([idAt('https://a.example'), idAt('https://a.example/')]).to.deep.equal(
      Array(2).fill('https://a.example/api/schemas/events/KeyRevoked.json'),
    )
  })
})
