import { createRequire } from 'node:module'

import type * as Prometheus from 'prom-client'

const load = createRequire(import.meta.url)

/**
 * What is used of prom-client. Its front door also loads OpenTelemetry and an HTTP client, for nothing that is done here:
 * that would make each start 40 ms longer.
 */
export const Counter = load('prom-client/lib/counter.js') as typeof Prometheus.Counter
export const Gauge = load('prom-client/lib/gauge.js') as typeof Prometheus.Gauge
export const Histogram = load('prom-client/lib/histogram.js') as typeof Prometheus.Histogram
export const Registry = load('prom-client/lib/registry.js') as typeof Prometheus.Registry
