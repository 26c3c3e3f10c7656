import { existsSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Loaded into the program before anything else: once this file is there, its loop stands still. */
const stalled = process.env['STALL_FILE'] ?? ''
const LOOK_EVERY_MS = 100

function standStill(): void {
  while (existsSync(stalled));
}

// The thread that watches it is a program of its own.
if (isMainThread) setInterval(standStill, LOOK_EVERY_MS).unref()
