/** What holds of time, and where that is told as a story: what | file under test/ | describe > test. */
export const RULES = String.raw`
A worse tier is sent at once, and rings | scenarios/loudness | a phone > rings for what is reached and for what gets worse, and makes no sound for what is better or over
It breaks through an acknowledgement | scenarios/waking | somebody who acknowledges > is named, and hears of it again only when it is worse or over
It breaks through a snooze | scenarios/waking | a snooze > hides neither what is worse nor the end
A better tier is one quiet message | scenarios/loudness | a phone > rings for what is reached and for what gets worse, and makes no sound for what is better or over
The end is sent to everybody who was warned, snoozed or not | scenarios/scope | a warning on which somebody says %s > is told as over all the same
The first reading of a position may fire | scenarios/loudness | a phone > rings for what is critical when it is first seen, by the first reading of it
It fires at the worst threshold that is passed | scenarios/warnings | somebody watches a wallet > a fall through three lines in one tick is one message, at the worst of them
A threshold that is not critical must hold for 15 s | scenarios/waking | a tier that is not critical > waits for 15 s, and is told once then
A threshold that is passed by more than its clear band is sent at once | scenarios/waking | a tier that is not critical > does not wait where its line is passed by far, in one fall: that is no trembling
It must hold for as long as its rule says | scenarios/waking | a tier that is not critical > waits for as long as its rule says
Unseen time neither counts towards a hold nor restarts it | scenarios/waking | a tier that is not critical > does not count the time in which nothing is seen, and does not begin anew after it
A critical alert never waits | scenarios/waking | what is critical > never waits
The clear band silences a price that flaps around a threshold | scenarios/warnings | somebody watches a wallet > a price that trembles around a line is one message; past the clear band it is another story
Two messages a day around a threshold, not sixty | engine/walk | days around the 10% line at $volatility a year are $most messages on average
Reminders of a critical alert come at most every half hour | scenarios/waking | what is critical > rings again 1, 3, 7, 15 and 31 minutes after the first alert, then every 30 minutes
A reminder is a new message that rings | scenarios/loudness | a phone > rings again for what nobody answers: a new message, for an edit makes no sound
From the third reminder on it goes to the fallback too | scenarios/away | what is critical and nobody answers > goes to the fallback %s
An escalation is a list of places and people, the soonest first | scenarios/escalation | the list of who is told > shows each place and person, the soonest first, and what is not in it yet
Nobody gets another person's alerts before they have agreed | scenarios/escalation | somebody who agrees to stand in for another > reads to what, says yes, and the other one hears of it
A backup person reads whose alert it is, and can answer | scenarios/escalation | somebody who agrees to stand in for another > is told of what nobody answers after so many minutes, as somebody else’s, and can answer
A worse alert rings at once for everybody who was rung | scenarios/escalation | the list of who is told > does not begin anew for whoever is rung already when it gets worse
Everybody who was rung gets the end | scenarios/escalation | an agreement that ends > because its person is gone: whoever was rung hears that it is over
An agreement ends everything, whichever of the two ends it | scenarios/escalation | an agreement that ends > by whoever has agreed, in the middle of an alert, ends everything; its person reads so, and where
A handover sends critical alerts to both at once | scenarios/handover | a handover > is told to both, and sends what is critical at once and each time it is said again
It names alerts that are already on | scenarios/handover | a handover > names what fires and waits for an answer to whoever takes over, who can answer at once
It rings in the backup person's quiet hours | scenarios/handover | a handover > rings in quiet hours, also those of whoever takes over
It ends by the clock, also while nothing runs | scenarios/handover | a handover > stays over a restart, and ends in one: also while nothing ran
A one-time link acknowledges from a notification | scenarios/links | a button on a phone > acknowledges, and every place that was told hears of it
It works once | scenarios/links | a button on a phone > works once: pressed again it says so, and changes nothing
It does nothing when its alert is over | scenarios/links | a link that somebody kept > does nothing when its alert is over, and says so
A receipt from before a restart counts after it | scenarios/receipts | a phone that rings while Perch is down > and is silenced there has silenced Perch: nothing is said again
A phone stops ringing for an alert that ended meanwhile | scenarios/receipts | a phone that rings while Perch is down > rings no more when the danger is over
Reminders of several alerts are one message | scenarios/waking | what is critical > of two positions is said again in one message
After twelve hours the reminders stop, and say so | scenarios/waking | what is critical > is said again for twelve hours, and then that it is not any more
An acknowledgement is for one alert | scenarios/scope | an acknowledgement of one position goes for no other one
It covers its threshold, and milder ones | scenarios/scope | whoever has acknowledged what is critical has acknowledged the warning that it becomes
It has an end | scenarios/waking | somebody who acknowledges > is reminded after a night
A snooze has an end, and says so then | scenarios/waking | a snooze > ends, and says so if it still fires
One tick and one chat are one message, worst first | scenarios/warnings | somebody watches a wallet > several positions in danger are one message, the worst first, %s
It is cut into messages of ten | scenarios/loudness | of twenty-five positions that fall together each is named, in messages of ten, the worst first
Quiet hours and mutes suppress what is not critical, worsening included | scenarios/loudness | a phone > rings for what is critical in quiet hours and through a mute; a warning that gets worse in them waits
A summary of suppressed alerts follows at the end | scenarios/summed | when quiet hours end > what fired, what is over and what still stands is summed up at the end, in one message
What is still on is shown as it is then | scenarios/summed | when quiet hours end > what still stands is told as it is then, with what is at stake and what to do
They swallow no end of an alert that was sent | scenarios/rest | in quiet hours > whoever was warned before hears that it is over
A danger on an old position is confirmed by a fresh read | scenarios/confirming | a danger that a price shows on a position read long ago > is told by a fresh read of its wallet, at once
A danger that the fresh read contradicts is not sent | scenarios/confirming | a danger that a price shows on a position read long ago > is not told when the fresh read shows that it is none; the event stream notes it
A confirmation takes two seconds at most, then the age is shown | scenarios/confirming | a confirmation that does not come > is waited for no longer than two seconds: then it is told with the age of what is known
Confirmations of one chat end together | scenarios/evidence | of two wallets in danger one is read afresh at once, the other not at all: both are told when the wait is over, in one message
A fresh position needs none | scenarios/confirming | a danger that a price shows on a position read long ago > on a position read just now needs no other read
An outage of the venue is reported once after ten seconds, and so is its return | scenarios/blind | when the venue cannot be seen > people are told once after ten seconds, with what was last seen, and once on return
A wallet near danger that can't be read is reported after half a minute | scenarios/blind | when one wallet cannot be seen > near danger it is told after half a minute
A wallet far from danger after three minutes | scenarios/blind | when one wallet cannot be seen > far from danger it is told after three minutes
A wallet that comes near meanwhile by the short patience | scenarios/blind | when one wallet cannot be seen > one that comes near danger while it cannot be read is told by the short patience
What is still seen is judged, with the age of the rest; nothing clears | scenarios/blind | when one wallet cannot be seen > the price falls on: that is told, with how old the position is, and nothing counts as over
A restart without lost time changes no message | engine/owed | a restart with no time lost changes no message (seed %d)
A restart repeats nothing | scenarios/restart | a bot that starts again > says nothing when nothing changed
A restart swallows nothing | scenarios/restart | a bot that starts again > tells once what became worse meanwhile, as while it was away
A restart still owes the end of an alert | scenarios/restart | a bot that starts again > still owes the "cleared" to whoever was warned before
After a start, remembered positions are judged by the first prices, with their age | engine/remembered | a danger that the first prices after a start show on a position of before it > is told at once, with how old the position is
They can't clear or improve an alert | engine/remembered | of an alert of before a start > nothing is called %s before its wallet is read
A fresh read that shows another position says so | engine/remembered | a danger that was told by a position of before the start > is over when the fresh read shows that it is none, and that says why
No hold fires before a fresh reading | scenarios/waking | a tier that is not critical > waits no longer because the bot was restarted meanwhile, and no shorter
A position that one complete answer lacks is not gone | scenarios/evidence | a position > that one whole answer lacks is not gone, and its alert neither ends nor begins anew
A position whose price reached its liquidation was probably liquidated | scenarios/warnings | a position > that is gone after a fall to its liquidation price was probably liquidated; nobody says "cleared"
A position whose price stayed away was closed | scenarios/warnings | a position > that is gone while the price stayed away was closed
A position too near to tell ended for an unknown cause | scenarios/warnings | a position > that was nearly liquidated when last seen is gone, cause unknown
The venue's own record of an end goes before any guess | scenarios/endings | a position on Hyperliquid > that is liquidated is told as that, once, with its price and what it cost
A liquidation counts for the wallet that the record names | scenarios/endings | a position on Hyperliquid > whose owner took the other side of a liquidation was closed, whatever stands on the trade
A record that does not have it yet is read once more | scenarios/endings | a position on Hyperliquid > whose end is in no record yet is looked for once more
A position in a delisted market is in no danger, and was settled | scenarios/endings | a position on Hyperliquid > in a market that is delisted was settled, and was in no danger by the price of that
Everybody who was warned of it gets its end | scenarios/warnings | a position > whose end is told to whoever was warned of it, also without a rule on closed positions
A wall clock that jumps moves ends, and no intervals | scenarios/waking | a snooze > follows the wall clock, what is repeated does not
What waited while a platform was down is one message | scenarios/late | what waited while the platform was down > is one message: what stands now, with its figures, and then what happened, the worst first
Accounts that share collateral ring once | engine/memory/accounts | accounts that share collateral > ring once, not once for each book
`
