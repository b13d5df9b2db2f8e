"""Words that the question parser knows, as sets and phrases: no code.

All words are folded (`transforms.text.fold`: lower case, no accents) and in the singular. Nothing
here names a document or a whole question: a row belongs here when it would be right for any
question of any sector that uses the word.
"""
