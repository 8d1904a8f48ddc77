// Moto, a simulation of S3, in a Python virtual environment.

import { fileURLToPath } from 'node:url'
import { builtVenv } from '../venv.ts'

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The first time, some 20 packages are downloaded. */
export const BUILD_TIMEOUT_MS = 600_000

let building: Promise<string> | null = null

/** The path of a Python with Moto. Rejects if Python or its venv is missing, or packages cannot be downloaded. */
export function builtMoto(): Promise<string> {
  building ??= builtVenv('scorebook-moto', REQUIREMENTS)
  return building
}
