import {
  channelKinds,
  channelTypes,
  defaultRules,
  EVENT_NOTICE_SECONDS,
  followKinds,
  type ChannelKind,
  type FollowKind,
  type FollowRule,
} from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage } from '../../page.ts';
import { field } from '../../parts/field.ts';
import { NOTICE } from '../../parts/notice.ts';
import { NOTIFICATION_LIST } from '../../parts/notification-list.ts';
import { section } from '../../parts/part.ts';
import { ownTabs } from './own-tabs.ts';

const RULE_TEXTS: Readonly<Record<FollowRule, string>> = {
  lobbyPlayers: 'A lobby has at least so many players:',
  onlineAbove: 'More players are online than',
  newLeaderboards: 'The game has a new leaderboard',
  events: 'An event begins in 15 minutes',
  records: 'Somebody sets a record',
  rankBelow: 'Somebody beats me, and my best rank is worse than (1: somebody takes my record)',
  online: 'Comes online',
  ranks: 'Gets a new rank, time or score on a leaderboard',
  unlocks: 'Unlocks an achievement',
};

const WHERE_TO_FOLLOW = 'Pages of games, leaderboards, players and events have a button for it.';

/** The names of kinds of channels that people know. */
const LABELS = Object.fromEntries(channelKinds.map((kind) => [kind, channelTypes[kind].label]));

/** Rules with a number; empty: off. */
const THRESHOLDS: readonly string[] = ['lobbyPlayers', 'onlineAbove', 'rankBelow'] satisfies FollowRule[];

/** The page of followed things and, for a signed-in user, of rules and channels: the script fills in the data. */
export const following = definePage({
  id: 'getFollowingPage',
  path: links.following,
  params: z.object({}),
  query: z.object({}),
  style: 'me',
  asks: [],
  view: async () => ({
    title: 'What you follow',
    description: 'Games, leaderboards, players and events that you follow, and where notifications go.',
    path: links.following,
    isPrivate: true,
    content: html`<div data-island="following">
      <section aria-labelledby="heading">
        <h1 id="heading" tabindex="-1">What you follow</h1>
        <noscript
          ><p class="empty">
            Following needs JavaScript, which is off: what you follow is stored in this browser or, after you sign in,
            in an account.
          </p></noscript
        >
        ${NOTICE}
      </section>
      ${ownTabs('following')}
      <div class="signed-out" hidden>${section('in-browser', 'Followed in this browser', inBrowser())}</div>
      <div class="in-use" hidden>
        ${section('notifications', 'Notifications', NOTIFICATION_LIST)} ${section('followed', 'Followed', followed())}
        ${section('quiet', 'Quiet hours', quietHours())} ${section('channels', 'Where notifications go', channels())}
      </div>
    </div>`,
  }),
});

/** Follows without an account. */
function inBrowser(): Html {
  return html`<p>
      The list stays in this browser: the site stores nothing of it. While a page of the site is open, you are notified
      of a lobby that opens in a game, a record on a leaderboard, a player who comes online, gets a new rank or unlocks
      an achievement, and an event that begins in ${EVENT_NOTICE_SECONDS / 60} minutes. To choose more finely, and for
      notifications while no page is open, <a href="${links.signIn({ next: links.following })}">sign in</a>.
    </p>
    <div class="buttons">
      <button type="button" class="system" aria-pressed="false" hidden>Notifications of the system</button>
    </div>
    <ul class="list"></ul>
    <p class="empty" hidden>This browser follows nothing yet. ${WHERE_TO_FOLLOW}</p>
    ${NOTICE}
    <template>
      <li>
        <a data-slot="name"></a> <span class="tag" data-slot="kind"></span>
        <button type="button">Stop following</button>
      </li>
    </template>`;
}

function followed(): Html {
  return html`<ul class="list" id="followed-list"></ul>
    <p class="empty" id="followed-empty" hidden>You follow nothing yet. ${WHERE_TO_FOLLOW}</p>
    ${NOTICE} ${followKinds.map(followedTemplate)}`;
}

function followedTemplate(kind: FollowKind): Html {
  const rules = Object.keys(defaultRules[kind]) as FollowRule[];
  return html`<template id="followed-${kind}">
    <li>
      <form class="card stack" method="post" novalidate>
        <h3><a data-slot="name"></a> <span class="tag">${kind}</span></h3>
        ${rules.map(ruleField)}
        <div class="buttons">
          <button class="main">Save</button> <button type="button" class="remove">Stop following</button>
        </div>
        ${NOTICE}
      </form>
    </li>
  </template>`;
}

function ruleField(rule: FollowRule): Html {
  const text = RULE_TEXTS[rule];
  return THRESHOLDS.includes(rule)
    ? html`<label>${text} <input name="${rule}" inputmode="numeric" size="7" autocomplete="off" data-number /></label>`
    : html`<label><input name="${rule}" type="checkbox" /> ${text}</label>`;
}

function quietHours(): Html {
  return html`<form id="quiet-form" class="card stack" method="post" novalidate>
    <p class="hint">In these hours notifications wait. Without times there are none.</p>
    ${field({ name: 'from', label: 'From', kind: 'time' })} ${field({ name: 'to', label: 'To', kind: 'time' })}
    ${field({ name: 'timeZone', label: 'Time zone', hint: 'Such as Europe/Berlin' })}
    <div class="buttons"><button class="main">Save</button></div>
    ${NOTICE}
  </form>`;
}

function channels(): Html {
  return html`<ul class="list" id="channel-list" data-labels="${JSON.stringify(LABELS)}"></ul>
    <p class="empty" id="channel-empty" hidden>Notifications are listed on this page alone.</p>
    ${NOTICE}
    <div class="card stack" id="feed-addresses" hidden>
      <p class="hint">These addresses are shown once. Who has one of them can read what is in it.</p>
      <p><a data-slot="notifications"></a></p>
      <p><a data-slot="events"></a></p>
    </div>
    <div class="buttons">
      <button type="button" id="push" hidden>Notify this browser</button>
      <button type="button" id="feed" hidden>Make a feed and a calendar</button>
    </div>
    <div class="channel-forms">${channelKinds.map(channelForm)}</div>
    <template id="channel-template">
      <li>
        <b data-slot="name"></b> <span class="tag" data-slot="kind"></span> <span class="tag" data-slot="state"></span>
        <p class="hint" data-slot="problem"></p>
        <div class="buttons">
          <button type="button" class="test">Send a test message</button>
          <button type="button" class="log">What was sent</button>
          <button type="button" class="renew">New addresses</button>
          <button type="button" class="remove">Remove</button>
        </div>
        <ul class="list deliveries" hidden></ul>
      </li>
    </template>`;
}

/** A form of the fields that readers type; false for a kind that a button adds. */
function channelForm(kind: ChannelKind): Html | false {
  const { label, fields } = channelTypes[kind];
  const typed = Object.entries(fields).flatMap(([name, { label: text, about }]) =>
    text === undefined ? [] : [field({ name, label: text, hint: `${about}.`, id: `${kind}-${name}` })],
  );
  return (
    typed.length > 0 &&
    html`<form class="channel-form card stack" data-kind="${kind}" method="post" novalidate>
      <h3>Add ${label}</h3>
      ${field({ name: 'name', label: 'Name', id: `${kind}-name`, hint: 'As you call it, such as My server' })} ${typed}
      <div class="buttons"><button class="main">Add</button></div>
      ${NOTICE}
    </form>`
  );
}
