// Moto, which answers as S3 does, in a virtual environment of Python.

import { fileURLToPath } from 'node:url'
import { builtVenv } from '../venv.ts'

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The first time, some 20 packages are fetched. */
export const BUILD_TIMEOUT_MS = 600_000

let building: Promise<string> | null = null

/** The path of a Python that has Moto. Rejects where Python or its venv is missing, or packages cannot be fetched. */
export function builtMoto(): Promise<string> {
  building ??= builtVenv('scorebook-moto', REQUIREMENTS)
  return building
}
