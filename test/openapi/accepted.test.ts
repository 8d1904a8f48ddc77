// Validators that we did not write accept the documents: two of OpenAPI, and the published JSON Schema of AsyncAPI.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect } from 'chai'
import { readExamples } from '../../http/openapi/examples.ts'
import { asyncApiDocument } from '../../realtime/asyncapi.ts'
import { servedDocument } from './served-document.ts'

describe('an independent validator', () => {
  it('accepts the OpenAPI document: @seriousme/openapi-schema-validator', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(await servedDocument())))
    expect([valid, errors ?? []]).to.deep.equal([true, []])
  })

  it('accepts the OpenAPI document and its examples by its recommended rules: Redocly', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // Our paths end with a slash.
      rules: {
        'no-path-trailing-slash': 'off',
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
      },
    })
    const source = JSON.stringify({ ...(await servedDocument()), servers: [{ url: 'https://scores.example.net' }] })
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    const shown = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    expect(shown).to.deep.equal([])
  }).timeout(30_000)

  it('accepts the AsyncAPI document: the JSON Schema of AsyncAPI 3.0.0', () => {
    const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json')
    const schema = JSON.parse(readFileSync(path, 'utf8'))
    const check = new Ajv({ meta: false, strict: false, formats: fullFormats, validateSchema: false }).compile(schema)
    const document = asyncApiDocument({
      version: '1',
      url: 'https://rooms.example.net',
      examples: readExamples().rooms,
    })
    check(JSON.parse(JSON.stringify(document)))
    expect(check.errors ?? []).to.deep.equal([])
  })
})
