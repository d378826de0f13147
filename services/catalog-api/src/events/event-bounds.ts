import type { AnnouncedEvent } from '@lobbystats/contracts';

/** UTF-16 units. Longer texts are cut; longer URLs lead nowhere. */
const TEXT_MAX = 200;
const DESCRIPTION_MAX = 5000;
const URL_MAX = 2048;

export function withinBounds(event: AnnouncedEvent): AnnouncedEvent {
  const { title, game_name: game, game_image: image, banner_url: banner, description } = event;
  const { tournament_status: status, prize_amount: prize, sponsor_name: sponsor } = event;
  return {
    ...event,
    title: cut(title),
    game_name: cut(game),
    game_image: image.length > URL_MAX ? '' : image,
    banner_url: banner.length > URL_MAX ? '' : banner,
    description: cut(description, DESCRIPTION_MAX),
    tournament_status: status && cut(status),
    prize_amount: prize && cut(prize),
    sponsor_name: sponsor && cut(sponsor),
  };
}

function cut(text: string, max = TEXT_MAX): string {
  return text.length <= max ? text : text.slice(0, max).toWellFormed();
}
