import { createRequire } from 'node:module'

import type * as Prometheus from 'prom-client'

import type { Event } from '../../runtime/event.ts'

/** Handlers by kind of event. Events without a handler have no metric. */
export type Heard = { [Is in Event['is']]?: (event: Extract<Event, { is: Is }>) => void }

/** Identifies the program in the metrics. Constant while it runs. */
export interface About {
  version: string
  venue: string
  /** The names of its venues in a program of several; else left out. */
  venues?: readonly string[]
  /** The platforms that are open. */
  adapters: readonly string[]
  /** Names of the alert kinds. */
  kinds: readonly string[]
}

export const SECOND_MS = 1_000

/** From what a commit takes to what a message may wait for. */
export const SHORT_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
export const LONG_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

/** Makes counters and histograms of one registry. */
export function instruments(registry: Prometheus.Registry) {
  const registers = [registry]
  return {
    /** With `total`, exports a count that is kept elsewhere. */
    counter: <L extends string>(name: string, help: string, labelNames: L[] = [], total?: () => number) =>
      new Counter({
        ...{ name, help, registers },
        labelNames,
        ...(total && {
          collect(this: Prometheus.Counter<L>) {
            unlessItFails(() => {
              const now = total()
              this.reset()
              this.inc(now)
            })
          },
        }),
      }),
    /** With `look`, reads the value at each scrape. */
    gauge: <L extends string>(
      name: string,
      help: string,
      labelNames: L[] = [],
      look?: (gauge: Prometheus.Gauge<L>) => void,
    ) =>
      new Gauge({
        ...{ name, help, registers },
        labelNames,
        ...(look && {
          collect(this: Prometheus.Gauge<L>) {
            unlessItFails(() => look(this))
          },
        }),
      }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
      new Histogram({ ...{ name, help, registers }, buckets, labelNames }),
  }
}

/** One figure that cannot be read, such as the open files of a process that may open no more, hides no other. */
function unlessItFails(read: () => void): void {
  try {
    read()
  } catch {
    // The figure keeps its last value.
  }
}

const load = createRequire(import.meta.url)

/**
 * Imports single files of prom-client. Its main module also loads OpenTelemetry and an HTTP client, which would make
 * each start 40 ms slower.
 */
const Counter = load('prom-client/lib/counter.js') as typeof Prometheus.Counter
export const Gauge = load('prom-client/lib/gauge.js') as typeof Prometheus.Gauge
const Histogram = load('prom-client/lib/histogram.js') as typeof Prometheus.Histogram
export const Registry = load('prom-client/lib/registry.js') as typeof Prometheus.Registry
