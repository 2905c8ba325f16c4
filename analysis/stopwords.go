// This file decides which English words say nothing about what a text is about:
// words of grammar, verbs and adjectives that go with anything, and what people
// say to keep a conversation going. Nouns of any trade are no stop words.

package analysis

// stopWordLists returns the built-in list, in parts, as tokens: in lower case,
// contractions glued.
func stopWordLists() []string {
	return []string{
		stopPronouns, stopDeterminers, stopPrepositions, stopConjunctions, stopAuxiliaries,
		stopContractions, stopAdverbs, stopVerbs, stopAdjectives, stopFillers, stopLetters,
	}
}

const stopPronouns = `
i me my mine myself we us our ours ourselves you your yours yourself yourselves u ur
he him his himself she her hers herself it its itself they them their theirs themselves themself
who whom whose what which whoever whomever whatever whichever
someone somebody something anyone anybody anything everyone everybody everything
noone nobody nothing none one ones oneself
this that these those there here thing things stuff
`

const stopDeterminers = `
a an the some any each every either neither both all half few fewer little less least
many much more most several enough such same other others another own
no not nor various certain plenty lot lots bit couple
`

const stopPrepositions = `
of in on at by for from to into onto unto upon with within without about above across after
against along alongside amid among amongst around as before behind below beneath beside besides
between beyond despite down during except inside like near off out outside over past per
regarding round since than through throughout till toward towards under underneath unlike until
up via versus
`

const stopConjunctions = `
and or but so if then else because cause although though while whereas whether unless once
when whenever where wherever why how however therefore thus hence otherwise instead meanwhile
furthermore moreover nevertheless nonetheless plus eg ie etc
`

const stopAuxiliaries = `
am is are was were be been being do does did doing done have has had having
can could may might must shall should will would ought need needs needed
`

const stopContractions = `
im ive youre youve youll youd hes shes theyre theyve theyll theyd weve itll itd
thats thatll thatd theres therell therere thered heres whos wholl whod whats whatll whatre whatd
wheres whered whens whys hows howd lets yall aint
isnt arent wasnt werent dont doesnt didnt havent hasnt hadnt cant cannot couldnt wont wouldnt
shouldnt shant mightnt mustnt neednt oughtnt darent
couldve wouldve shouldve mightve mustve gonna gotta wanna kinda sorta lemme gimme dunno cuz coz
`

const stopAdverbs = `
now just only also too even still yet already again ever never always often sometimes usually
rarely seldom soon later early earlier lately recently today tomorrow yesterday tonight ago away back
very quite rather really so almost nearly hardly barely perhaps maybe probably possibly
actually basically literally simply honestly obviously clearly apparently definitely certainly
absolutely totally completely entirely mostly mainly especially particularly generally
specifically exactly indeed anyway anyways somehow somewhat somewhere anywhere everywhere nowhere
elsewhere together apart ahead forth far further furthermore well first firstly secondly
lastly finally eventually currently quickly easily
`

const stopVerbs = `
get gets getting got gotten go goes going went gone come comes coming came
make makes making made take takes taking took taken give gives giving gave given
put puts putting keep keeps keeping kept let letting seem seems seemed seeming
say says saying said tell tells telling told ask asks asking asked
know knows knowing knew known think thinks thinking thought mean means meant
see sees seeing saw seen look looks looking looked find finds finding found
want wants wanting wanted wish wishes hope hopes hoping hoped
try tries trying tried use uses using used become becomes became becoming
happen happens happening happened feel feels feeling felt guess guessing guessed
believe believes believed suppose supposed wonder wondering wondered
show shows showing showed shown help helps helping helped
`

const stopAdjectives = `
good better best bad worse worst great nice cool fine okay sure able unable
new old big small large different similar possible impossible likely unlikely
whole entire main real actual next last latest easy hard simple
`

const stopFillers = `
ok okey okay alright yes yeah yep yup yea nah nope hey hi hello bye goodbye
thanks thank thx ty please pls plz sorry welcome congrats cheers
oh ooh ah aha ahh uh uhh um umm hm hmm hmmm huh wow whoa oops ugh eh er erm
haha hahaha hehe lol lmao rofl omg btw fyi imo imho tbh afaik iirc idk np nvm asap
sir dude guys folks
`

// The letters c and r are names of programming languages, but a term of one
// letter would be found everywhere.
const stopLetters = `
a b c d e f g h i j k l m n o p q r s t u v w x y z
`

// contractionsWithOtherMeaning are stop words only when they are written with an
// apostrophe: I'll, she'll, he'll, we'll, I'd, we'd, she'd, he'd, we're, who're.
const contractionsWithOtherMeaning = `
ill shell hell well id wed shed hed were whore
`
