// Validates values against the schemas of an OpenAPI document (JSON Schema 2020-12), each compiled once.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Schema } from './document.ts'

/** Returns what is wrong with a value, or null. */
export type Validate = (schema: Schema, value: unknown) => string | null

const DOCUMENT = 'openapi.json'

export function createValidate(schemas: Readonly<Record<string, Schema>>): Validate {
  const ajv = new Ajv2020({ strict: false, formats: fullFormats, validateSchema: false })
  ajv.addSchema(withAbsoluteReferences({ components: { schemas } }), DOCUMENT)
  const compiled = new Map<Schema, ValidateFunction>()
  const compile = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const made = ajv.compile(withAbsoluteReferences(schema))
    compiled.set(schema, made)
    return made
  }
  return (schema, value) => {
    const check = compile(schema)
    return check(value) ? null : ajv.errorsText(check.errors, { dataVar: '' })
  }
}

/** A schema is compiled alone, so its references name the document. */
function withAbsoluteReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`))
}
