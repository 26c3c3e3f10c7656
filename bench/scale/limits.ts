/** Today's limits and measured costs, of 27 November 2026. Each has its source. */

/**
 * Messages a second of one Telegram token to different chats: 30 (https://core.telegram.org/bots/faq). Perch paces itself at
 * this rate, below it (adapters/telegram/telegram.ts).
 */
export const TELEGRAM_PER_SECOND = 28
/** The same with `allow_paid_broadcast` (https://core.telegram.org/bots/api#sendmessage). Perch does not ask for it. */
export const TELEGRAM_PAID_PER_SECOND = 1_000
/** Stars for each message beyond the free ones (https://core.telegram.org/bots/api#paid-broadcasts). */
export const STARS_A_MESSAGE = 0.1
/** One chat gets a message a second (https://core.telegram.org/bots/faq). */
export const CHAT_PER_SECOND = 1
/**
 * Requests a second of one Discord application: 50 (https://docs.discord.com/developers/topics/rate-limits#global-rate-limit).
 * Perch paces itself at this rate (adapters/discord/send/limits.ts).
 */
export const DISCORD_PER_SECOND = 40
/** Servers of one connection (https://docs.discord.com/developers/events/gateway#sharding): more need a shard each. */
export const GUILDS_A_SHARD = 2_500
/** Shards that may start in five seconds, `max_concurrency` of most applications (the same page). */
export const SHARD_STARTS_MS = 5_000
/** Starts of shards in 24 hours, `session_start_limit` (the same page). */
export const SHARD_STARTS_A_DAY = 1_000
/**
 * Weight a minute that Hyperliquid allows an address: 1,200, of which Perch plans 1,020
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits, docs/hyperliquid.md).
 */
export const WEIGHT_A_MINUTE = 1_020
/** Weight of a read of a wallet in `main` (the same page). */
export const WEIGHT_A_READ = 2
/** Wallets that one address pushes (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket). */
export const PUSHED_WALLETS = 10
/** Wallets of one address with the public trades heard: docs/hyperliquid.md, `npm run bench -- trades`. */
export const WALLETS_AN_ADDRESS = 2_000

/** Processor time of an alert from its price to the request: 21.1 s for 100,000 (docs/performance.md, `burst 100000`). */
export const ALERT_MS = 0.211
/** Processor time of a tick with crossings, 100,000 rules (docs/performance.md, `crossings`). */
export const TICK_MS = 6.5
/** Resident memory: 291 MB with 100,000 guards, 804 MB with a million (docs/performance.md, `load`). */
export const BASE_MB = 234
export const GUARD_MB = 0.00057
/** Share of a core that an idle Perch with some thousand wallets takes: 4.2% (docs/performance.md, `idle`). */
export const IDLE_CORE = 0.05
/** Rows that one commit holds at most. */
export const ROWS_A_COMMIT = 200
/** Median of a commit into the SQLite file, and into the journal in PostgreSQL before it: 1.4 and 3.4 ms, paired. */
export const COMMIT_MS = 1.4
export const JOURNAL_MS = 3.4
