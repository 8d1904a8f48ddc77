// Chooses the instants of a player's movement: each at which something of their own changed, plus evenly spaced ones up
// to the requested number; if there are too many changes, an even selection of them.

/** ISO 8601, UTC, milliseconds; in order, without duplicates, at most `points`. `changes` out of range are ignored. */
export function instantsOf(start: string, end: string, changes: readonly string[], points: number): string[] {
  const own = [...new Set([start, ...changes])].filter((time) => time >= start && time <= end).sort()
  if (own.length >= points) return thinned(own, points)
  const [fromMs, toMs] = [Date.parse(start), Date.parse(end)]
  const more = points - own.length
  const spaced = Array.from({ length: more }, (_, i) => fromMs + Math.round(((toMs - fromMs) * (i + 1)) / more))
  return [...new Set([...own, ...spaced.map((ms) => new Date(ms).toISOString())])].sort()
}

/** The first, the last, and evenly spaced ones in between; the last only if `points` is 1. */
function thinned(times: readonly string[], points: number): string[] {
  const last = times.length - 1
  if (points === 1) return times.slice(last)
  return Array.from({ length: points }, (_, i) => times[Math.round((i * last) / (points - 1))] as string)
}
