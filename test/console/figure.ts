// What a proof has measured, and what it may be.

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly max: number
}

export const figureLine = ({ name, value, unit, max }: Figure): string =>
  `${name}: ${value.toFixed(1)} ${unit} (at most ${max})`

/** A figure of what could not be measured. */
export const failedFigure = (name: string): Figure => ({
  name,
  value: Number.POSITIVE_INFINITY,
  unit: '(failed)',
  max: 0,
})
