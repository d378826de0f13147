import { DRAFT_NOTICE, keepDraft, takeDraft } from './drafts.ts';
import { fill, find, noticeOf } from './form.ts';
import type { Session } from './island.ts';
import type { OwnTab } from './own-tab.ts';
import { bindProfileForm, type ProfileUpdate } from './me-profile.ts';
import { showGivenRatings } from './me-ratings.ts';

const DRAFT = 'profile';

/** The reader's account, profile and given ratings. */
export function profileTab(element: HTMLElement, session: Session, onSaved: () => void): OwnTab {
  const form = bindProfileForm(element, session, onSaved);
  return {
    show: async (own) => {
      fill(element, {
        email: session.auth.getEmail() ?? '',
        gamertag: own?.gamertag ?? '',
        verified: own?.profile.console_verified === true ? 'verified' : '',
      });
      form.show(own?.profile);
    },
    shown: async (user) => {
      const draft = takeDraft<ProfileUpdate>(DRAFT, user);
      if (draft !== undefined) {
        form.restore(draft);
        noticeOf(find(element, '#profile-form')).show(DRAFT_NOTICE);
      }
      await showGivenRatings(element, session);
    },
    isEdited: () => form.edited() !== undefined,
    keepEdited: (user) => {
      const edited = form.edited();
      if (edited !== undefined) keepDraft(DRAFT, user, edited);
    },
  };
}
