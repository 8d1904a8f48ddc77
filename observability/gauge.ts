// A gauge whose value is read when the metrics are asked for.

import { Gauge, type Registry } from 'prom-client'

/** `value` is called once for each answer of the metrics: O(1). */
export function watchGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value())
    },
  })
}
