// Which events people cause, as against the steps that the service takes after them.

import { EVENT_TYPES } from '../../../domain/event-types.ts'
import type { GameEvent } from '../api.ts'
import { texts } from '../texts.ts'

/** The types, in the order of the menu. */
export const PEOPLE_TYPES = Object.keys(texts.history.people) as readonly PeopleType[]

type PeopleType = keyof typeof texts.history.people

export const isPeopleType = (type: string): type is PeopleType => Object.hasOwn(texts.history.people, type)

const STEPS = new Set(EVENT_TYPES.filter((type) => !isPeopleType(type)))

/** A type that only a newer server has counts as one of people: it is shown rather than hidden. */
export const isByPeople = ({ type, meta }: Pick<GameEvent, 'type' | 'meta'>): boolean =>
  typeof meta.actor === 'string' && !STEPS.has(type)
