// Boards as they stood, through the front door: what every GET answered live at instants of a random history, asked again
// with as_of; and how ranks moved, against the same.

import { expect } from 'chai'
import { ON_SERVERS } from '../servers/places.ts'
import { randomFrom } from '../simulation/random.ts'
import type { Body } from './http-client.ts'
import { type MadeGame, makeBoard, makePlayer } from './scenery.ts'
import { openTenant, type Tenant, told } from './tenant.ts'
import { must, type World } from './world.ts'

const INSTANTS = ON_SERVERS ? 10 : 50
const PLAYERS = 9
const SETTLED_MS = 600_000
