// A gauge whose value is read when metrics are collected.

import { Gauge, type Registry } from 'prom-client'

/** `value` is called once per collection and must be O(1). */
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
