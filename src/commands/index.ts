import type { Kind } from '../alert/alert.ts'
import type { Command } from '../command/command.ts'
import { words } from '../message/message.ts'
import ack from './alerts/ack.ts'
import { alertCommand } from './alerts/alert.ts'
import alerts from './alerts/alerts.ts'
import history from './alerts/history.ts'
import { muteCommand } from './alerts/mute.ts'
import remove from './alerts/remove.ts'
import snooze from './alerts/snooze.ts'
import { tryCommand } from './alerts/try.ts'
import unmute from './alerts/unmute.ts'
import why from './alerts/why.ts'
import fix from './look/fix.ts'
import funding from './look/funding.ts'
import market from './look/market.ts'
import card from './look/card.ts'
import chart from './look/chart.ts'
import markets from './look/markets.ts'
import orders from './look/orders.ts'
import positions from './look/positions.ts'
import preview from './look/preview.ts'
import shock from './look/shock.ts'
import balances from './money/balances.ts'
import pnl from './money/pnl.ts'
import importCommand from './move/import.ts'
import agree from './nights/agree.ts'
import digest from './nights/digest.ts'
import drill from './nights/drill.ts'
import { escalateCommand } from './nights/escalate.ts'
import handover from './nights/handover.ts'
import quiet from './nights/quiet.ts'
import type { Named } from './shared/places.ts'
import { type Group, helpCommand } from './start/help.ts'
import menu from './start/menu.ts'
import quit from './start/quit.ts'
import start from './start/start.ts'
import status from './start/status.ts'
import follow from './wallets/follow.ts'
import subs from './wallets/subs.ts'
import unwatch from './wallets/unwatch.ts'
import wallets from './wallets/wallets.ts'
import watch from './wallets/watch.ts'
import channel from './you/channel.ts'
import exportCommand from './move/export.ts'
import forget from './you/forget.ts'
import invite from './you/invite.ts'
import assistant from './you/assistant.ts'
import link from './you/link.ts'
import page from './you/page.ts'
import pages from './you/pages.ts'
import { presetCommand } from './you/preset.ts'
import { settingsCommand } from './you/settings.ts'

/** The commands that change nothing, by name: a page or an assistant calls their `ask`, and knows the type of the answer. */
export const lookCommands = {
  ...{ wallets, positions, balances, orders, markets, market, funding, preview, fix, shock },
  ...{ why, history, pnl },
}

/** The short menus of platforms, in the order of use. Everything else is behind /help. */
const PRIVATE_MENU = [
  ...['menu', 'positions', 'alerts', 'alert', 'watch', 'wallets'],
  ...['status', 'mute', 'quiet', 'history', 'settings', 'help'],
]
const GROUP_MENU = [
  ...['menu', 'alerts', 'alert', 'ack', 'snooze', 'mute'],
  ...['quiet', 'markets', 'market', 'funding', 'channel', 'help'],
]

function inMenus(command: Command): Command {
  const place = (names: readonly string[]) => names.indexOf(command.name)
  const [own, group] = [place(PRIVATE_MENU), place(GROUP_MENU)]
  if (own < 0 && group < 0) return command
  return { ...command, menu: { ...(own < 0 ? {} : { private: own }), ...(group < 0 ? {} : { group }) } }
}

/**
 * All commands, in the order of help. `named` are the notifiers, where people name a destination. `absent` are the
 * alert kinds whose data this venue does not show, `unopened` the notifiers that nothing configures.
 */
export function commandList(
  kinds: readonly Kind[],
  named: readonly Named[] = [],
  absent: readonly Kind[] = [],
  unopened: readonly string[] = [],
): readonly Command[] {
  const groups: Group[] = [
    {
      name: 'wallets',
      title: words('help.wallets'),
      about: words('help.wallets.about'),
      commands: [watch, follow, unwatch, wallets, subs],
    },
    {
      name: 'alerts',
      title: words('help.alerts'),
      about: words('help.alerts.about'),
      commands: [
        alertCommand(kinds, absent),
        tryCommand(kinds, absent),
        alerts,
        ack,
        snooze,
        muteCommand(kinds),
        unmute,
        remove,
        why,
        history,
      ],
    },
    {
      name: 'look',
      title: words('help.look'),
      about: words('help.look.about'),
      commands: [positions, orders, markets, market, chart, card, preview, fix, shock],
    },
    {
      name: 'money',
      title: words('help.money'),
      about: words('help.money.about'),
      commands: [pnl, balances, funding],
    },
    {
      name: 'nights',
      title: words('help.nights'),
      about: words('help.nights.about'),
      commands: [quiet, digest, escalateCommand(named), agree, handover, drill],
    },
    {
      name: 'you',
      title: words('help.you'),
      about: words('help.you.about'),
      commands: [
        settingsCommand(named, unopened),
        presetCommand(kinds),
        page,
        pages,
        assistant,
        link,
        exportCommand,
        importCommand,
        forget,
      ],
    },
    {
      name: 'groups',
      title: words('help.groups'),
      about: words('help.groups.about'),
      commands: [channel, invite],
    },
  ]
  groups.unshift({
    name: 'start',
    title: words('help.start'),
    about: words('help.start.about'),
    commands: [start, menu, helpCommand(groups), status, quit],
  })
  return groups.flatMap(({ commands }) => commands.map(inMenus))
}
